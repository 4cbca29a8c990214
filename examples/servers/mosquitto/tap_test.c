/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tap_test.c - a plug-in of Mosquitto that tests the probes of the broker that
 * it is loaded into.
 *
 *	plugin ./tap_test.so		in mosquitto.conf
 *	mosquitto_pub -i tester -q 1 -t a/b -m hello
 *
 * mosquitto_server.py does that, and ends the broker. The plug-in then writes
 * "tap: good" to standard error, or the first expectation that was not met.
 */
#include <stdio.h>

#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>
#include <sdtkit/tap.h>

/* the upper half of a packet's first byte */
enum { CONNECT = 1, CONNACK, PUBLISH, PUBACK, DISCONNECT = 14 };
enum { MQTT311 = 2 };	/* mosq_p_mqtt311 */

static struct sdtkit_tap *tap;

int mosquitto_plugin_version(int count, const int *versions)
{
	for (int i = 0; i < count; i++) {
		if (versions[i] == 5)
			return 5;
	}
	return -1;
}

int mosquitto_plugin_init(mosquitto_plugin_id_t *identifier, void **data,
			  struct mosquitto_opt *options, int count)
{
	if (sdtkit_tap_open("mosquitto:*,!mosquitto:loop_*", &tap) == 0)
		return MOSQ_ERR_SUCCESS;
	fprintf(stderr, "tap: %s\n", sdtkit_tap_error());
	return MOSQ_ERR_UNKNOWN;
}

/* A packet of a client, and the packet that answers it, each whole. */
static int is_answered(int packet, int bytes, int answer, int answer_bytes)
{
	return sdtkit_tap_expect(tap, "mosquitto:packet_start",
				 sdtkit_tap_int("packet", packet),
				 sdtkit_tap_int("bytes", bytes)) >= 0 &&
	       sdtkit_tap_expect(tap, "mosquitto:packet_sent",
				 sdtkit_tap_int("packet", answer),
				 sdtkit_tap_int("bytes", answer_bytes)) >= 0 &&
	       sdtkit_tap_expect(tap, "mosquitto:packet_done",
				 sdtkit_tap_int("status", 0)) >= 0;
}

static int is_as_expected(void)
{
	return is_answered(CONNECT, 20, CONNACK, 4) &&
	       sdtkit_tap_expect(tap, "mosquitto:client_open",
				 sdtkit_tap_str("id", "tester"),
				 sdtkit_tap_str("address", "127.0.0.1"),
				 sdtkit_tap_int("protocol", MQTT311),
				 sdtkit_tap_int("keepalive", 60),
				 sdtkit_tap_int("clean", 1)) >= 0 &&
	       is_answered(PUBLISH, 14, PUBACK, 4) &&
	       sdtkit_tap_expect(tap, "mosquitto:publish",
				 sdtkit_tap_str("id", "tester"),
				 sdtkit_tap_str("topic", "a/b"),
				 sdtkit_tap_int("qos", 1),
				 sdtkit_tap_int("retain", 0),
				 sdtkit_tap_int("bytes", 5)) >= 0 &&
	       sdtkit_tap_expect(tap, "mosquitto:packet_start",
				 sdtkit_tap_int("packet", DISCONNECT)) >= 0 &&
	       /* one that only looked whether the broker listens */
	       sdtkit_tap_expect(tap, "mosquitto:client_close",
				 sdtkit_tap_str("id", "")) >= 0 &&
	       sdtkit_tap_expect(tap, "mosquitto:client_close",
				 sdtkit_tap_str("id", "tester")) >= 0 &&
	       sdtkit_tap_expect_none(tap, "mosquitto:delivery_*") >= 0;
}

int mosquitto_plugin_cleanup(void *data, struct mosquitto_opt *options,
			     int count)
{
	fprintf(stderr, "tap: %s\n",
		is_as_expected() ? "good" : sdtkit_tap_error());
	sdtkit_tap_close(tap);
	return MOSQ_ERR_SUCCESS;
}
