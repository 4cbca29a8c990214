/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests of kv.c. */
enum kv_op { KV_GET, KV_SET, KV_OTHER };

#pragma sdtkit nowarn dependency-file
#pragma sdtkit names kv_op op

/* A request of a client; it is not known before it is read whole. */
#pragma sdtkit span request start=request_start end=request_end key=client
#pragma sdtkit span request name=op error=status sum=in_bytes,out_bytes

provider kv {
	probe request_start(uint64_t client, int op, uint32_t in_bytes);
	probe request_end(uint64_t client, int status, uint32_t out_bytes);
};
