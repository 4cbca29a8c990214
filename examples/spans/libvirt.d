/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of libvirt's library that tell of its protocol. The names are
 * those of src/libvirt_probes.d in libvirt's source, the numbers those of its
 * page "libvirt RPC infrastructure".
 *
 *	sdtkit top --description libvirt.d -p PID call
 */

/* In the daemon: from a request's arrival until its reply is queued. */
#pragma sdtkit span request start=rpc_server_client_msg_rx
#pragma sdtkit span request end=rpc_server_client_msg_tx_queue
#pragma sdtkit span request key=client,program,serial name=program,procedure
#pragma sdtkit span request error=rpc_server_client_msg_tx_queue.status

/* In a client: from a request until its reply has arrived. */
#pragma sdtkit span call start=rpc_client_msg_tx_queue end=rpc_client_msg_rx
#pragma sdtkit span call key=client,program,serial name=program,procedure
#pragma sdtkit span call error=rpc_client_msg_rx.status

enum virt_program {
	REMOTE = 0x20008086,
	QEMU = 0x20008087,
	LXC = 0x20008088,
	ADMIN = 0x06900690,
	KEEPALIVE = 0x6b656570
};
#pragma sdtkit names virt_program program

enum virt_type {
	CALL = 0,
	REPLY = 1,
	EVENT = 2,
	STREAM = 3,
	CALL_WITH_FDS = 4,
	REPLY_WITH_FDS = 5,
	STREAM_HOLE = 6
};
#pragma sdtkit names virt_type type

enum virt_status {
	OK = 0,
	ERROR = 1,
	CONTINUE = 2
};
#pragma sdtkit names virt_status status

provider libvirt {
	probe rpc_server_client_msg_rx(void *client, unsigned long length,
		unsigned long program, unsigned long version,
		unsigned long procedure, unsigned long type,
		unsigned long status, unsigned long serial);
	probe rpc_server_client_msg_tx_queue(void *client,
		unsigned long length, unsigned long program,
		unsigned long version, unsigned long procedure,
		unsigned long type, unsigned long status,
		unsigned long serial);
	probe rpc_client_msg_tx_queue(void *client, unsigned long length,
		unsigned long program, unsigned long version,
		unsigned long procedure, unsigned long type,
		unsigned long status, unsigned long serial);
	probe rpc_client_msg_rx(void *client, unsigned long length,
		unsigned long program, unsigned long version,
		unsigned long procedure, unsigned long type,
		unsigned long status, unsigned long serial);
};
