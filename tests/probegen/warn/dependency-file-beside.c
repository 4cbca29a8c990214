/* SPDX-License-Identifier: BSD-2-Clause */
/* what is beside a description of its name */
