# SPDX-License-Identifier: BSD-2-Clause
# sdtkit.mk - probes in a makefile, for GNU make 3.82 or later.
#
#	include $(shell pkg-config --variable=makefile sdtkit)	# installed
#	include sdtkit/lib/build/sdtkit.mk			# copied
#
#	CPPFLAGS += -Iprobes $(SDTKIT_CPPFLAGS)
#	LDLIBS += $(SDTKIT_LIBS)
#	server.o: probes/server_probes.h
#
# It has a rule that makes NAME_probes.h from NAME_probes.d, and these:
#	SDTKIT_CPPFLAGS, SDTKIT_LIBS	to compile and to link
#	SDTKIT_PROBEGEN			the command that makes the headers
#	SDTKIT_FLAGS			set it for more options of that: -C -DX
#	PROBES=no			compiles no probe
#	PKG_CONFIG, PYTHON		which ones to use
#
# The rule concerns no other .d: `gcc -MMD` writes server.d for server.c, and
# never NAME_probes.d, unless there is a NAME_probes.c.
# The makefile that configure made has these variables, see sdtkit.m4.
ifndef SDTKIT_PROBEGEN
PKG_CONFIG ?= pkg-config
PYTHON ?= python3
sdtkit_here := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
ifneq ($(wildcard $(sdtkit_here)/../../probegen/cli.py),)

SDTKIT_SOURCE := $(sdtkit_here)/../../probegen
SDTKIT_PROBEGEN := $(PYTHON) -B $(SDTKIT_SOURCE)
SDTKIT_CPPFLAGS := -I$(sdtkit_here)/../../include -DSDTKIT_ARG_INLINE
SDTKIT_LIBS :=

else

SDTKIT_SOURCE := $(sdtkit_here)/probegen
SDTKIT_PROBEGEN := $(shell $(PKG_CONFIG) --variable=probegen sdtkit)
SDTKIT_CPPFLAGS := $(shell $(PKG_CONFIG) --cflags sdtkit)
# There may be no library for the machine that is compiled for.
ifeq ($(shell $(PKG_CONFIG) --exists sdtkit-arg && echo yes),yes)
SDTKIT_LIBS := $(shell $(PKG_CONFIG) --libs sdtkit-arg)
else
SDTKIT_CPPFLAGS += -DSDTKIT_ARG_INLINE
SDTKIT_LIBS :=
endif

endif
ifeq ($(PROBES),no)
SDTKIT_CPPFLAGS += -DSDTKIT_DISABLE
endif
endif

# A package manager gives a new file the time of its release, which may be
# before that of a header here, and the directory the time when it put it there.
# The outer wildcard leaves out the pieces of names with blanks.
SDTKIT_FILES := $(wildcard $(wildcard $(SDTKIT_SOURCE) $(SDTKIT_SOURCE)/emit \
	$(SDTKIT_SOURCE)/render $(SDTKIT_SOURCE)/translators \
	$(SDTKIT_SOURCE)/*.py $(SDTKIT_SOURCE)/*/*.py))

# Fails before gcc overwrites a description, which it would without -MF.
sdtkit_flags = $(SDTKIT_FLAGS) $(if \
	$(filter -MD -MMD,$(CFLAGS) $(CXXFLAGS) $(CPPFLAGS)),$(if \
	$(filter -MF%,$(CFLAGS) $(CXXFLAGS) $(CPPFLAGS)),,\
	-Werror=dependency-file))

# Without it, make would take the first option for a command that may fail.
sdtkit_command = $(or $(SDTKIT_PROBEGEN),$(error $@: probegen is not found: \
	install sdtkit, set PKG_CONFIG_PATH, or use a path without blanks))

%_probes.h: %_probes.d $(SDTKIT_FILES)
	@mkdir -p '$(@D)'
	$(sdtkit_command) $(sdtkit_flags) --always '$<' -o '$@'
