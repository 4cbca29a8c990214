/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * http.c - answers GET and HEAD for the pages of a table.
 *
 * Whoever can connect may be slow, numerous or hostile. So a connection serves
 * one request, and is ended when it takes longer than ten seconds, whether it
 * sends a byte now and then or does not read; there are few connections, few of
 * each address (connections.c), and each has little memory. All runs in one
 * thread, which never waits for a client.
 */
#include <err.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "auth.h"
#include "connections.h"
#include "http.h"
#include "keys.h"
#include "listen.h"
#include "passed.h"

enum {
	MAX_PAGES = 8,
	CONNECTION_MEMORY = 16384,
	BLOCK = 16384,			/* of what is read while it is sent */
	STACK = 512 << 10,
};

/* What MHD passes as the request. */
struct http_request {
	struct MHD_Connection *connection;
};

/* A page may be added while the thread serves others. */
static pthread_mutex_t pages_lock = PTHREAD_MUTEX_INITIALIZER;
static struct page {
	const char *path;
	http_get *get;
} pages[MAX_PAGES];
static int num_pages;

static struct listener listener = { .fd = -1 };
static struct MHD_Daemon *server;

const char *http_header(const struct http_request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection,
					   MHD_HEADER_KIND, name);
}

void http_page(const char *path, http_get *get)
{
	int i;

	pthread_mutex_lock(&pages_lock);
	for (i = 0; i < num_pages && strcmp(pages[i].path, path) != 0; i++)
		continue;
	if (i == MAX_PAGES)
		errx(1, "too many pages");
	pages[i] = (struct page){ path, get };
	if (i == num_pages)
		num_pages++;
	pthread_mutex_unlock(&pages_lock);
}

/* The address, or the network of 64 bits; 0 for a UNIX socket. */
static unsigned long long origin_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *address = info == NULL ? NULL :
		info->client_addr;
	const struct sockaddr_in6 *v6 = (const void *)address;
	const struct sockaddr_in *v4 = (const void *)address;
	unsigned long long origin = 0;

	if (address != NULL && address->sa_family == AF_INET)
		memcpy(&origin, &v4->sin_addr, sizeof(v4->sin_addr));
	if (address != NULL && address->sa_family == AF_INET6)
		memcpy(&origin, v6->sin6_addr.s6_addr +
		       (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr) ? 8 : 0),
		       sizeof(origin));
	return origin;
}

static int fd_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection,
				       MHD_CONNECTION_INFO_CONNECTION_FD)
		->connect_fd;
}

/* The socket is closed after this is called for its end. */
static void on_connection(void *context, struct MHD_Connection *connection,
			  void **own, enum MHD_ConnectionNotificationCode code)
{
	int fd = fd_of(connection);

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		connections_add(fd, origin_of(connection));
	else
		connections_remove(fd);
}

void http_tick(void)
{
	connections_end_slow();
}

static struct MHD_Response *text_response(const char *text)
{
	struct MHD_Response *response;

	response = MHD_create_response_from_buffer(strlen(text),
						   (void *)(size_t)text,
						   MHD_RESPMEM_MUST_COPY);
	if (response != NULL)
		MHD_add_response_header(response, "Content-Type",
					"text/plain; charset=utf-8");
	return response;
}

/* Sends a response and forgets it. */
static enum MHD_Result send_response(struct MHD_Connection *connection,
				     unsigned int status,
				     struct MHD_Response *response)
{
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	MHD_add_response_header(response, "Connection", "close");
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	if (status == MHD_HTTP_UNAUTHORIZED)
		result = MHD_queue_basic_auth_fail_response(
			connection, program_invocation_short_name, response);
	else
		result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection,
				 unsigned int status, const char *text)
{
	return send_response(connection, status, text_response(text));
}

static enum auth_result authenticate(struct MHD_Connection *connection)
{
	enum auth_result result = AUTH_BAD;
	char *password = NULL;
	char *user;

	user = MHD_basic_auth_get_username_password(connection, &password);
	if (user != NULL && password != NULL)
		result = auth_check(user, password,
				    origin_of(connection));
	if (password != NULL)
		explicit_bzero(password, strlen(password));
	MHD_free(password);
	MHD_free(user);
	return result;
}

/* "gzip, deflate;q=0.5"; one with q=0 is refused. */
bool http_takes_gzip(const struct http_request *request)
{
	const char *at = http_header(request, "Accept-Encoding");

	at = at != NULL ? strcasestr(at, "gzip") : NULL;
	if (at == NULL)
		return false;
	at += strlen("gzip");
	at += strspn(at, " ;");
	return strncasecmp(at, "q=0", 3) != 0 || strtod(at + 2, NULL) > 0;
}

static ssize_t read_on(void *reply, uint64_t position, char *to, size_t room)
{
	const struct http_reply *r = reply;
	ssize_t got;

	if (position >= r->size)
		return MHD_CONTENT_READER_END_OF_STREAM;
	got = r->read(r->context, to, room);
	return got > 0 ? got : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void release(void *reply)
{
	struct http_reply *r = reply;

	r->release(r->context);
	free(r);
}

/* The bytes are read while they are sent: there may be many connections. */
static struct MHD_Response *read_response(const struct http_reply *reply)
{
	struct http_reply *kept = malloc(sizeof(*kept));
	struct MHD_Response *response = NULL;

	if (kept != NULL) {
		*kept = *reply;
		response = MHD_create_response_from_callback(
			reply->size, BLOCK, read_on, kept, release);
	}
	if (response == NULL) {
		reply->release(reply->context);
		free(kept);
	}
	return response;
}

static struct MHD_Response *body_response(const struct http_reply *reply)
{
	struct MHD_Response *response;

	response = MHD_create_response_from_buffer(reply->size, reply->body,
						   MHD_RESPMEM_MUST_FREE);
	if (response == NULL)
		free(reply->body);
	return response;
}

static enum MHD_Result send_page(struct MHD_Connection *connection,
				 http_get *get)
{
	const struct http_request request = { connection };
	struct http_reply reply = { .status = MHD_HTTP_OK };
	struct MHD_Response *response;

	get(&request, &reply);
	if (reply.body == NULL && reply.read == NULL)
		return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				 "no memory\n");
	response = reply.read != NULL ? read_response(&reply) :
		body_response(&reply);
	if (response == NULL)
		return MHD_NO;
	if (reply.encoding != NULL)
		MHD_add_response_header(response, "Content-Encoding",
					reply.encoding);
	if (reply.type != NULL)
		MHD_add_response_header(response, "Content-Type", reply.type);
	if (reply.security != NULL)
		MHD_add_response_header(response, "Content-Security-Policy",
					reply.security);
	return send_response(connection, reply.status, response);
}

static enum MHD_Result send_paths(struct MHD_Connection *connection)
{
	char text[64 + MAX_PAGES * 64] = "there is no such page; there are:";
	size_t length = strlen(text);
	int i;

	pthread_mutex_lock(&pages_lock);
	for (i = 0; i < num_pages && length < sizeof(text) - 64; i++)
		length += (size_t)snprintf(text + length, 63, " %s",
					   pages[i].path);
	pthread_mutex_unlock(&pages_lock);
	strcat(text, "\n");
	return send_text(connection, MHD_HTTP_NOT_FOUND, text);
}

static http_get *find_page(const char *path)
{
	http_get *get = NULL;
	int i;

	pthread_mutex_lock(&pages_lock);
	for (i = 0; i < num_pages; i++) {
		if (strcmp(pages[i].path, path) == 0)
			get = pages[i].get;
	}
	pthread_mutex_unlock(&pages_lock);
	return get;
}

/*
 * Where only this machine may read, and without a password, the pages of others
 * in its browsers may not: see listen_is_ours().
 */
static bool is_rebound(struct MHD_Connection *connection)
{
	const char *host;

	if (keys.has_auth || !listener.local || listener.path != NULL)
		return false;
	host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					   MHD_HTTP_HEADER_HOST);
	return host != NULL && !listen_is_ours(host);
}

/*
 * MHD calls it when it has the headers, and again when it has the body. A
 * method that has a body is refused before.
 */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection,
			      const char *path, const char *method,
			      const char *version, const char *data,
			      size_t *size, void **state)
{
	static int seen;
	http_get *page;

	connections_asked(fd_of(connection));
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				 "use GET or HEAD\n");
	if (*state == NULL) {
		*state = &seen;
		return MHD_YES;
	}
	*size = 0;
	if (is_rebound(connection))
		return send_text(connection, MHD_HTTP_FORBIDDEN,
				 "use the address instead of a name, or set "
				 "--auth\n");
	switch (keys.has_auth ? authenticate(connection) : AUTH_GOOD) {
	case AUTH_GOOD:
		break;
	case AUTH_BAD:
		return send_text(connection, MHD_HTTP_UNAUTHORIZED,
				 "a user and a password are needed\n");
	case AUTH_LATER:
		return send_text(connection, MHD_HTTP_TOO_MANY_REQUESTS,
				 "too many wrong passwords: try later\n");
	}
	page = find_page(path);
	if (page == NULL)
		return send_paths(connection);
	return send_page(connection, page);
}

static struct MHD_Daemon *start(unsigned int flags)
{
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, keys.cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, keys.key },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (keys.cert == NULL)
		tls[0].option = MHD_OPTION_END;
	else
		flags |= MHD_USE_TLS;
	return MHD_start_daemon(
		flags, 0, NULL, NULL, answer, NULL,
		MHD_OPTION_LISTEN_SOCKET, listener.fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)CONNECTIONS_LIMIT_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL,
		MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

void http_check(const struct http_options *options)
{
	keys_open(options);
}

void http_open(const struct http_options *o)
{
	if (o->socket != NULL && passed_address() == NULL)
		errx(1, "--socket=%s: systemd has passed no socket: start the "
		     "service by systemctl, or use --listen", o->socket);
	listen_open(o->listen, &listener);
	keys_open(o);
	if (!listener.local && keys.has_auth && keys.cert == NULL)
		warnx("--listen=%s: passwords are sent in the clear: use "
		      "--tls-cert and --tls-key", o->listen);
}

const char *http_url(void)
{
	static char url[sizeof("https://[]:65535/") + INET6_ADDRSTRLEN];
	char host[INET6_ADDRSTRLEN], port[sizeof("65535")];
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);
	bool v6;

	if (getsockname(listener.fd, (void *)&address, &size) != 0 ||
	    address.ss_family == AF_UNIX ||
	    getnameinfo((void *)&address, size, host, sizeof(host), port,
			sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return "";
	v6 = address.ss_family == AF_INET6;
	snprintf(url, sizeof(url), "%s://%s%s%s:%s/",
		 keys.cert == NULL ? "http" : "https", v6 ? "[" : "", host,
		 v6 ? "]" : "", port);
	return url;
}

/* The socket goes on: who connects meanwhile waits. */
void http_reread(const struct http_options *options)
{
	bool runs = server != NULL;

	if (!keys_reread(options))
		return;
	if (runs) {
		MHD_quiesce_daemon(server);
		MHD_stop_daemon(server);
		server = NULL;
	}
	keys_renew();
	if (runs)
		http_start();
}

/* Signals are for the main thread, whose wait they have to end. */
void http_start(void)
{
	sigset_t all, before;

	if (server != NULL)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	server = start(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
		       MHD_USE_ITC);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (server == NULL)
		errx(1, "cannot start the HTTP server");
}

void http_stop(void)
{
	if (server != NULL)
		MHD_stop_daemon(server);
	else if (listener.fd >= 0)
		close(listener.fd);
	server = NULL;
	if (listener.path != NULL && !listener.passed)
		unlink(listener.path);
	listener = (struct listener){ .fd = -1 };
}
