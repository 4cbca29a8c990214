/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library whose probes have their arguments where this file says, for cases
 * that compare scripts word by word. Made by "gcc -nostdlib -shared".
 */
	.include "notes.inc"

	/* A record or an enum: a description with another type of note. */
	.macro note type, strings:vararg
	.pushsection .note.sdtkit, "", "note"
	.balign 4
	.4byte 992f-991f, 994f-993f, \type
991:	.asciz "sdtkit"
992:	.balign 4
993:	.asciz \strings
994:	.balign 4
	.popsection
	.endm

	.text
	.balign 4096
	counter smb_start_semaphore

	probe smb, start, "8@%rdi 8@%rsi 8@%rdx", smb_start_semaphore
	describe smb, start, "", "u8", "uint64_t", "mid", "u2", "uint16_t", "opcode", "z", "char *", "user"
	probe smb, end, "8@%rdi -8@%rsi 8@%rdx"
	describe smb, end, "", "u8", "uint64_t", "mid", "s4", "int32_t", "status", "u2", "uint16_t", "opcode"
	/* The opcode stands elsewhere than in the other two. */
	probe smb, cancel, "8@%rdi 8@%rsi"
	describe smb, cancel, "", "u2", "uint16_t", "opcode", "u8", "uint64_t", "mid"
	probe smb, done, "-8@%rdi 8@%rsi"
	describe smb, done, "", "s4", "int", "status", "p", "request_t *", "req"

	/* Seven arguments and more; where there are several sites, they differ. */
	probe smb, seven, "8@%rdi 8@%rsi 8@%rdx 8@%rcx 8@%r8 8@%r9 -8@%r12"
	describe smb, seven, "", "u8", "uint64_t", "a", "u8", "uint64_t", "b", "u8", "uint64_t", "c", "u8", "uint64_t", "d", "u8", "uint64_t", "e", "u8", "uint64_t", "f", "s1", "int8_t", "g"
	probe smb, many, "8@$0 8@$1 8@$2 8@$3 8@$4 8@$5 -8@%rax 8@%r12 8@%rbx"
	probe smb, many, "8@$0 8@$1 8@$2 8@$3 8@$4 8@$5 -4@-20(%rbp) 8@8(%rsp,%rcx,8) 8@%rbx"
	probe smb, many, "8@$0 8@$1 8@$2 8@$3 8@$4 8@$5 -4@$-7 1@%ah 8@%rbx"
	describe smb, many, "", "u8", "uint64_t", "a", "u8", "uint64_t", "b", "u8", "uint64_t", "c", "u8", "uint64_t", "d", "u8", "uint64_t", "e", "u8", "uint64_t", "f", "s4", "int", "status", "z", "char *", "path", "p", "request_t *", "req"

	/* As <sys/sdt.h> records what nobody has widened. */
	probe smb, narrow, "-4@%eax -4@%ecx 1@%dl -8@-20(%rbp)"
	describe smb, narrow, "", "u4", "uint32_t", "a", "s2", "int16_t", "b", "u1", "bool", "c", "s8", "int64_t", "d"
	probe smb, odd, "-4@NBuffers(%rip) 8@%rdi 8@%rsi"
	describe smb, odd, "", "s4", "int", "buffers", "f8", "double", "ratio", "p", "struct conn *", "conn"
	probe smb, nothing, ""
	describe smb, nothing, ""

	/* Nobody says what these are called. */
	probe bare, hit, "8@%rdi -4@%esi"

	/* Two sites that a tracer cannot tell apart by their place in a page. */
	.balign 4096
	probe page, same, "8@$0 8@$1 8@$2 8@$3 8@$4 8@$5 8@%rax"
	.balign 4096
	probe page, same, "8@$0 8@$1 8@$2 8@$3 8@$4 8@$5 8@%rbx"

	note 2, "smb", "request_t *", "72", "0", "u8", "uint64_t", "mid", "", "8", "u2", "uint16_t", "peer.port", "", "12", "s4", "int32_t", "peer.weight", "", "16", "u2", "uint16_t", "opcode", "", "18", "s1", "int8_t", "small", "", "24", "z", "string", "user", "", "32", "a16", "char[16]", "file", "", "48", "u1*6", "uint8_t[6]", "key", "", "54", "s2*2*3", "int16_t[2][3]", "grid", "", "68", "s4", "enum kind", "kind", ""
	note 4, "smb", "command", "1", "uint16_t", "opcode", "0", "NEGOTIATE", "2", "LOGOFF", "5", "CREATE", "6", "CLOSE"
	note 4, "smb", "kind", "1", "enum kind", "kind", "-1", "LOST", "1", "DISK", "2", "CREATE"
