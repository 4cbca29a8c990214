# SPDX-License-Identifier: BSD-2-Clause
"""D translators: probes that show tracers other things than they are given.

    translator info_t < struct req *R > { mid = R->mid; };
    probe done(struct req *req) : (info_t *req);

    Value --expressions--> Node --translation--> C for one member
    struct --records--> model.Record, with the offset of each member

``translated`` brings the two together for the arguments of a probe, and is
what ``resolve`` calls.
"""
