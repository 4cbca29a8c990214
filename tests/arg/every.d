/* SPDX-License-Identifier: BSD-2-Clause */
/* Every marshaller, for the tests of this room. */
provider every {
	/* Text about the one who connects. */
	probe peer(
		sdtkit_sockaddr_t remote,	/* the client */
		sdtkit_sockaddr_len_t local,	/* the server */
		sdtkit_guid_t guid,
		sdtkit_uuid_t uuid,
		sdtkit_sid_t sid);

	/* Text out of bytes. */
	probe bytes(
		sdtkit_counted_t name,
		sdtkit_printable_t blob,
		sdtkit_hex_t key,
		sdtkit_utf16_t path,
		uint32_t last);

	/* Names. */
	probe names(
		sdtkit_ntstatus_t status,
		sdtkit_errno_t error,
		sdtkit_flags_t access,
		sdtkit_str_t reason,
		int16_t small,
		char *plain);

	/* Numbers, for which no text is needed. */
	probe numbers(
		sdtkit_str_t text,
		sdtkit_iov_t length,
		sdtkit_timespec_t changed,
		sdtkit_timeval_t began,
		sdtkit_nttime_t created,
		int64_t plain);

	/* Fixed point and clocks. */
	probe scaled(
		sdtkit_milli_t load,
		sdtkit_micro_t share,
		sdtkit_monotonic_t now,
		sdtkit_boottime_t up,
		double number,
		float half);

	/* Nothing but a clock. */
	probe tick(sdtkit_monotonic_t now);
};
