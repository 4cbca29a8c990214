/* SPDX-License-Identifier: BSD-2-Clause */

/* Names of values. */
enum smbnet_transport { UNKNOWN, NETBIOS, TCP, QUIC };
#pragma sdtkit names smbnet_transport transport

/* A client is connected. The three statuses are regular ends. */
#pragma sdtkit span connection start=connection_start end=connection_end \
	key=xconn name=remote \
	error=status ok=0,0xc0000011,0xc000020c,0xc000013b
/* A call that reads from a socket. */
#pragma sdtkit span recv start=recv_start end=recv_done key=xconn sum=ret
/* A packet is decrypted, split into commands and checked. */
#pragma sdtkit span parse start=pdu_received end=pdu_parsed key=req sum=length
/*
 * A packet, until the kernel has the last byte of the reply: the latency that
 * the client sees, without the time on the wire.
 */
#pragma sdtkit span pdu start=pdu_received end=pdu_sent \
	key=req/pdu_sent.ctx sum=length
/* A packet waits in the queue until the kernel has its last byte. */
#pragma sdtkit span queue start=send_queued end=pdu_sent key=ctx
/* A call that writes to a socket. */
#pragma sdtkit span send start=send_start end=send_done key=xconn sum=ret
/* The handshake of QUIC, before smbd knows of a connection. */
#pragma sdtkit span handshake start=handshake_start end=handshake_done \
	key=sock error=status

/*
 * The transport under SMB2: connections, and the packets and socket calls on
 * them.
 *
 * A PDU is the data after one length prefix: one command, a compound of
 * several, or either of them encrypted.
 *
 * Receiving: recv_start and recv_done fire around each recvmsg(), pdu_received
 * when the PDU is complete, pdu_parsed when it is decrypted, split and checked.
 * smb2:request_start of its first command is next. A PDU takes at least two
 * recvmsg(), for prefix and rest, and smbd reads the first one of a connection
 * in another way: count PDUs by pdu_received.
 *
 * Sending: send_queued fires when a PDU is queued, send_start and send_done
 * around each sendmsg() or sendfile(), pdu_sent when the kernel has the last
 * byte.
 *
 * Keys: xconn is the address of the connection in the server, unique in its
 * process while the connection lives. Join by (pid, xconn), also with the smb2
 * probes, and use connection_start to learn which client it belongs to. A
 * process may have several connections (multi-channel). req is the req of the
 * smb2 probes. ctx is the PDU being sent: it equals req if the PDU is the reply
 * to req, and is another address for interim responses and oplock breaks. So
 * the latency that the client sees, without the time on the wire, is the time
 * from pdu_received to pdu_sent with (pid, req) = (pid, ctx).
 *
 * Socket calls do not overlap in one process, so recv_start and recv_done, and
 * send_start and send_done, also pair by pid alone.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64); no probe here has
 * more arguments. Strings are never NULL: an unknown string is "".
 */
provider smbnet {
	/*
	 * A connection was accepted by the process that will serve it.
	 * Fires before its first packet. Does not fire for connections that the
	 * access rules refuse. A further channel of a client starts twice: in
	 * the process that accepted it and in the one that it is passed to.
	 * Partner: connection_end, by (pid, xconn). In Samba:
	 * smbd_add_connection().
	 */
	probe connection_start(
		void *xconn,		/* the connection: key with pid */
		sdtkit_str_t remote,	/* address of the client,
					 * "ipv4:192.0.2.7:50123" */
		sdtkit_str_t local,	/* address of the server, likewise */
		int sock,		/* socket, a file descriptor */
		uint64_t channel_id,	/* number of the channel within its
					 * client */
		sdtkit_str_t hostname);	/* name of the client, or its address
					 * again if names are not looked up */

	/*
	 * A connection is cut off; nothing more is received or sent on it.
	 * Fires once per connection, at the first reason: drop here the state
	 * with the key (pid, xconn). If the process has another connection,
	 * requests on this one may still end, without a reply. Otherwise the
	 * process exits, and they do not end. At the exit of a process it comes
	 * before smbd:exit. Partner: connection_start, by (pid, xconn); a
	 * refused connection ends without a start.
	 */
	probe connection_end(
		void *xconn,		/* the connection */
		uint32_t status,	/* why, NTSTATUS: 0xc0000011 the client
					 * closed it (END_OF_FILE), 0xc000020c
					 * the server did
					 * (CONNECTION_DISCONNECTED), 0xc000013b
					 * exit (LOCAL_DISCONNECT), else an
					 * error of the socket */
		int sock);		/* its socket */

	/*
	 * The server gives up a connection: the reason and the place.
	 * Fires for each end except the regular exit: end of file, protocol
	 * errors, lack of memory. Comes after connection_end of the same (pid,
	 * xconn), so it carries the address itself. With the last connection of
	 * a process smbd:exit follows. No partner. In Samba:
	 * smbd_server_connection_terminate_ex().
	 */
	probe connection_terminate(
		void *xconn,		/* the connection */
		sdtkit_str_t remote,	/* address of the client */
		sdtkit_str_t reason,	/* name of a status,
					 * "NT_STATUS_END_OF_FILE", or a
					 * sentence */
		sdtkit_str_t location);	/* where in the server: "file:line" */

	/*
	 * The server is about to read from a connection.
	 * Partner: recv_done, by (pid, xconn).
	 */
	probe recv_start(
		void *xconn,		/* the connection */
		uint64_t wanted);	/* bytes it asks for */

	/*
	 * A read from a connection returned.
	 * Partner: recv_start, by (pid, xconn).
	 */
	probe recv_done(
		void *xconn,		/* the connection */
		int ret,		/* bytes read, 0 the client closed, -1
					 * error */
		int err);		/* errno if ret is -1 (EAGAIN: nothing
					 * there), else no meaning */

	/*
	 * A PDU is complete in memory.
	 * Fires after the recv_done that brought its last byte, before it is
	 * decrypted or parsed. Partners: pdu_parsed for the time of parsing,
	 * pdu_sent for the latency, both by (pid, req). The first of a
	 * connection, a NEGOTIATE, may have no recv_done; in the form of SMB1
	 * it counts as the SMB2 command that it is taken for.
	 */
	probe pdu_received(
		void *xconn,		/* the connection */
		void *req,		/* the request, as in smb2; one for all
					 * commands of a compound */
		uint64_t length,	/* bytes in it, without the prefix of
					 * 4 */
		int recvfile);		/* 1 if the data of a WRITE was left in
					 * the socket, to be moved to the file
					 * directly; else 0 */

	/*
	 * A PDU was decrypted, split into commands and checked.
	 * Fires before smb2:request_start of its first command. Partner:
	 * pdu_received, by (pid, req). Does not fire for a PDU that is not
	 * valid: the connection is dropped then.
	 */
	probe pdu_parsed(
		void *xconn,		/* the connection */
		void *req,		/* the request, as in smb2 */
		int commands);		/* commands in it, 1 if no compound */

	/*
	 * A PDU is put at the end of the send queue.
	 * Fires for replies, interim responses and oplock breaks, after they
	 * are signed or encrypted. Partner: pdu_sent, by (pid, ctx); it is
	 * missing if the connection is lost before.
	 */
	probe send_queued(
		void *xconn,		/* the connection */
		void *ctx,		/* the PDU: the req of smb2 if it is a
					 * reply */
		uint64_t queue_len);	/* PDUs in the queue of the connection,
					 * with this one */

	/*
	 * The server is about to write to a connection.
	 * Fires once per call: a PDU that the socket does not accept as a whole
	 * has several. A sendfile READ reads the disk between here and
	 * send_done. Partner: send_done, by (pid, xconn).
	 */
	probe send_start(
		void *xconn,		/* the connection */
		void *ctx,		/* the PDU, see the provider */
		int iovcnt);		/* buffers given to sendmsg(), -1 for
					 * sendfile() */

	/*
	 * A write to a connection returned.
	 * The PDU may be freed by now: use ctx as a key only. Partner:
	 * send_start, by (pid, xconn).
	 */
	probe send_done(
		void *xconn,		/* the connection */
		void *ctx,		/* the PDU */
		int ret,		/* bytes taken, with sendfile() the size
					 * of the reply; -1 error */
		int err,		/* errno if ret is -1 (EAGAIN: the
					 * socket is full), else no meaning */
		uint64_t queue_len);	/* PDUs in the queue, perhaps with this
					 * one */

	/*
	 * The kernel has taken the last byte of a PDU.
	 * Fires after its last send_done. For a compound, the PDU is the reply
	 * to all its commands. The PDU may be freed by now: use ctx as a key
	 * only. Partners: pdu_received by (pid, req), send_queued by (pid,
	 * ctx).
	 */
	probe pdu_sent(
		void *xconn,		/* the connection */
		void *ctx);		/* the PDU, see the provider */

	/*
	 * The socket is full: a PDU stays in the send queue for now.
	 * Fires once for a PDU that is not sent wholly when it is put in the
	 * queue. Partner: pdu_delayed_sent, by (pid, ctx); it is missing if the
	 * connection is lost before.
	 */
	probe pdu_delayed(
		void *xconn,		/* the connection */
		void *ctx);		/* the PDU, see the provider */

	/*
	 * The kernel has taken the last byte of a PDU that was delayed.
	 * Fires with pdu_sent, if pdu_delayed was traced when the PDU was put
	 * in the queue. With both, a tracer knows when replies were sent
	 * without a hit for each: those that are not delayed are sent right
	 * after their smb2:request_end.
	 */
	probe pdu_delayed_sent(
		void *xconn,		/* the connection */
		void *ctx);		/* the PDU, see the provider */

	/*
	 * A process that will serve a client begins QUIC's handshake.
	 * Fires in Samba 4.23 and later; connection_start follows if it
	 * succeeds, else the process exits. Partner: handshake_done, by (pid,
	 * sock). In Samba: smbd_accept_connection().
	 */
	probe handshake_start(
		int sock);		/* socket of the connection */

	/*
	 * QUIC's handshake has ended.
	 * Partner: handshake_start.
	 */
	probe handshake_done(
		int sock,		/* socket of the connection */
		uint32_t status);	/* NTSTATUS */

	/*
	 * What carries SMB on a connection.
	 * Fires just before connection_start, in Samba 4.23 and later. No
	 * partner. In Samba: smbd_add_connection().
	 */
	probe transport(
		void *xconn,		/* the connection */
		int transport);		/* 1 NetBIOS, port 139, 2 TCP, 3 QUIC */
};
