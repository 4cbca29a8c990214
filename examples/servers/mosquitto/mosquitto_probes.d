/* SPDX-License-Identifier: BSD-2-Clause */

/* the upper half of a packet's first byte: MQTT 5, 2.1.2 */
enum mqtt_packet { CONNECT = 1, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL,
	PUBCOMP, SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP,
	DISCONNECT, AUTH };
#pragma sdtkit names mqtt_packet packet
/* as mosq_p_* of mosquitto_internal.h */
enum mqtt_protocol { MQTT31 = 1, MQTT311, MQTTS, MQTT5 = 5 };
#pragma sdtkit names mqtt_protocol protocol

/* A packet of a client, from its last byte to the end of its work; a PUBLISH is
 * sent to subscribers within that. */
#pragma sdtkit span packet start=packet_start end=packet_done key=tid
#pragma sdtkit span packet name=packet sum=bytes error=status
/* A message of QoS 1 or 2, until its receiver has acknowledged it. */
#pragma sdtkit span delivery start=delivery_start end=delivery_done
#pragma sdtkit span delivery key=client,mid name=qos sum=bytes
/* A client, from its CONNECT to its end. */
#pragma sdtkit span connection start=client_open end=client_close key=client
#pragma sdtkit span connection name=protocol
/* What the event loop does between two waits. */
#pragma sdtkit span cycle start=loop_wake end=loop_wait key=tid
/* The database is written. */
#pragma sdtkit span save start=save_start end=save_done key=tid error=status

/* The broker of Mosquitto 2.0: clients, packets, messages, the event loop. */
provider mosquitto {
	/* A client is accepted. */
	probe client_open(
		struct mosquitto *client,
		char *id,
		sdtkit_str_t address,
		int protocol,
		uint16_t keepalive,	/* in seconds */
		bool clean);		/* without an older session */
	/* A client is disconnected. id is empty if it was never accepted. */
	probe client_close(struct mosquitto *client, sdtkit_str_t id);

	/* A packet has arrived. */
	probe packet_start(
		struct mosquitto *client,
		uint8_t packet,		/* its type */
		uint32_t bytes);	/* all of them */
	/* It was worked on; a status other than 0 ends the connection. */
	probe packet_done(struct mosquitto *client, int status);
	/* A packet was written whole. */
	probe packet_sent(
		struct mosquitto *client,
		uint8_t packet,
		uint32_t bytes);

	/* A client publishes a message. */
	probe publish(
		char *id,
		char *topic,
		uint8_t qos,
		bool retain,
		uint32_t bytes);	/* of the payload */
	/* A message is lost to a client, whose queue is full, or who is not
	 * there. */
	probe message_drop(char *id);
	/* A message of QoS 1 or 2 was handed to a client. */
	probe delivery_start(
		struct mosquitto *client,
		uint16_t mid,
		uint8_t qos,
		char *topic,
		uint32_t bytes);
	/* The client has acknowledged it. */
	probe delivery_done(struct mosquitto *client, uint16_t mid);
	/* A client subscribes. */
	probe subscribe(char *id, char *topic, uint8_t qos);
	/* It does not want that any more. */
	probe unsubscribe(char *id, char *topic);

	/* The event loop wakes up. */
	probe loop_wake(int events);
	/* It is about to wait. */
	probe loop_wait();
	/* The database is written to this file. */
	probe save_start(char *file);
	/* It is written; status is 0, or an errno. */
	probe save_done(int status);
};
