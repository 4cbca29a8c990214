/* SPDX-License-Identifier: BSD-2-Clause */
/* tsmbd merge: one report of several servers, or of several times. */
#ifndef TSMBD_MERGE_H
#define TSMBD_MERGE_H

int merge_main(int argc, char **argv);

#endif /* TSMBD_MERGE_H */
