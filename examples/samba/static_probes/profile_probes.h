/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_probes.h - the macros of smbprofile.h where there are probes, but no
 * profiling: they fire the probes and do nothing else.
 *
 * Included by smbprofile.h, below its own definitions. The id of an operation
 * is 0. An asynchronous operation needs an address as its key: the member that
 * profiling would have is one byte here.
 */
#if defined(WITH_STATIC_PROBES) && !defined(WITH_PROFILE)

#undef START_PROFILE
#undef START_PROFILE_BYTES
#undef END_PROFILE
#undef END_PROFILE_BYTES
#define START_PROFILE(_op)		PROBES_OP_START(#_op, 0, 0)
#define START_PROFILE_BYTES(_op, _n)	PROBES_OP_START(#_op, 0, _n)
#define END_PROFILE(_op)		PROBES_OP_DONE(#_op, 0)
#define END_PROFILE_BYTES(_op)		PROBES_OP_DONE(#_op, 0)

#undef SMBPROFILE_BYTES_ASYNC_STATE
#undef SMBPROFILE_BYTES_ASYNC_START
#undef SMBPROFILE_BYTES_ASYNC_SET_IDLE
#undef SMBPROFILE_BYTES_ASYNC_SET_BUSY
#undef SMBPROFILE_BYTES_ASYNC_END
#define SMBPROFILE_BYTES_ASYNC_STATE(_async)	char _async;
#define SMBPROFILE_BYTES_ASYNC_START(_name, _area, _async, _bytes) \
	PROBES_ASYNC_START(#_name, _async, _bytes)
#define SMBPROFILE_BYTES_ASYNC_SET_IDLE(_async)	PROBES_ASYNC_IDLE(_async)
#define SMBPROFILE_BYTES_ASYNC_SET_BUSY(_async)	PROBES_ASYNC_BUSY(_async)
#define SMBPROFILE_BYTES_ASYNC_END(_async)	PROBES_ASYNC_DONE(_async)

/* Samba that also counts by share has these, with one argument more */
#ifdef START_PROFILE_X
#undef START_PROFILE_X
#undef START_PROFILE_BYTES_X
#undef END_PROFILE_X
#undef END_PROFILE_BYTES_X
#define START_PROFILE_X(_snum, _op)		PROBES_OP_START(#_op, 0, 0)
#define START_PROFILE_BYTES_X(_snum, _op, _n)	PROBES_OP_START(#_op, 0, _n)
#define END_PROFILE_X(_op)			PROBES_OP_DONE(#_op, 0)
#define END_PROFILE_BYTES_X(_op)		PROBES_OP_DONE(#_op, 0)

#undef SMBPROFILE_BYTES_ASYNC_STATE_X
#undef SMBPROFILE_BYTES_ASYNC_START_X
#undef SMBPROFILE_BYTES_ASYNC_SET_IDLE_X
#undef SMBPROFILE_BYTES_ASYNC_SET_BUSY_X
#undef SMBPROFILE_BYTES_ASYNC_END_X
#define SMBPROFILE_BYTES_ASYNC_STATE_X(_async, _share)	char _async;
#define SMBPROFILE_BYTES_ASYNC_START_X(_snum, _name, _async, _share, _bytes) \
	PROBES_ASYNC_START(#_name, _async, _bytes)
#define SMBPROFILE_BYTES_ASYNC_SET_IDLE_X(_async, _share) \
	PROBES_ASYNC_IDLE(_async)
#define SMBPROFILE_BYTES_ASYNC_SET_BUSY_X(_async, _share) \
	PROBES_ASYNC_BUSY(_async)
#define SMBPROFILE_BYTES_ASYNC_END_X(_async, _share)	PROBES_ASYNC_DONE(_async)
#endif

#endif
