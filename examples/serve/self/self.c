/* SPDX-License-Identifier: BSD-2-Clause */
/* self PORT - a server that counts its requests, and has them at /metrics. */
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sdtkit/recorder.h>
#include "web_probes.h"

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int server = socket(AF_INET, SOCK_STREAM, 0);
	struct sdtkit_recorder *recorder;

	signal(SIGPIPE, SIG_IGN);
	at.sin_port = htons((in_port_t)atoi(argv[argc - 1]));
	if (sdtkit_recorder_count("web:*", NULL, &recorder) < 0 ||
	    bind(server, (void *)&at, sizeof(at)) < 0 || listen(server, 9) < 0)
		return 1;
	for (unsigned id = 1;; id++) {
		char text[4096] = "";
		int client = accept(server, NULL, NULL), status, is_scrape;
		FILE *to = fdopen(client, "w");

		if (to == NULL || read(client, text, sizeof(text) - 1) < 0)
			return 1;
		is_scrape = strncmp(text, "GET /metrics ", 13) == 0;
		status = is_scrape || !strncmp(text, "GET / ", 6) ? 200 : 404;
		WEB_REQUEST(id, is_scrape ? "/metrics" :
			     status == 200 ? "/" : "other");
		fprintf(to, "HTTP/1.0 %d -\r\nContent-Type: text/plain; "
			"version=0.0.4\r\n\r\n", status);
		if (is_scrape)
			sdtkit_recorder_metrics(recorder, to);
		WEB_REPLIED(id, status);
		fclose(to);
	}
}
