/* launch/follow_socket.c - the socket where children of the program request their streams. */
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "launch/follow_children.h"
#include "wire/wire.h"

static socklen_t abstract(struct sockaddr_un *address, const char *name)
{
	size_t n = strlen(name);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (n > sizeof(address->sun_path) - 1)
		n = sizeof(address->sun_path) - 1;
	memcpy(address->sun_path + 1, name, n);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

int ms_launch_follow_listen(const char *name, int most)
{
	struct sockaddr_un address;
	socklen_t n = abstract(&address, name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0 && (bind(fd, (struct sockaddr *)&address, n) != 0 || listen(fd, most) != 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int ms_launch_follow_request(const char *name, int fds[2])
{
	struct ms_wire_ask request = { MS_WIRE_ASK_EXEC, (uint32_t)getppid() };
	struct sockaddr_un address;
	socklen_t n = abstract(&address, name);
	uint32_t answer = 0;
	struct iovec part = { &answer, sizeof(answer) };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} control;
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return MS_EIO;
	bool got = connect(fd, (struct sockaddr *)&address, n) == 0 &&
		   send(fd, &request, sizeof(request), MSG_NOSIGNAL) == sizeof(request) &&
		   recvmsg(fd, &m, 0) == sizeof(answer) &&
		   m.msg_controllen >= CMSG_LEN(2 * sizeof(int)) &&
		   control.head.cmsg_type == SCM_RIGHTS;
	close(fd);
	if (got)
		memcpy(fds, CMSG_DATA(&control.head), 2 * sizeof(int));
	return got ? MS_OK : MS_EIO;
}

int ms_launch_follow_accept(int listener, pid_t *pid, bool *same_user)
{
	int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred who = { 0, 0, 0 };
	socklen_t n = sizeof(who);

	if (connection >= 0 && getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0) {
		close(connection);
		connection = -1;
	}
	*pid = who.pid;
	*same_user = who.uid == getuid();
	return connection;
}

bool ms_launch_follow_receive(int connection, struct ms_wire_ask *ask, char *path)
{
	struct iovec parts[2] = { { ask, sizeof(*ask) }, { path, MS_WIRE_MAX_TEXT } };
	struct msghdr m = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t got = recvmsg(connection, &m, 0);

	if (got < (ssize_t)sizeof(*ask))
		return false;
	path[got - (ssize_t)sizeof(*ask)] = '\0';
	return true;
}

bool ms_launch_follow_is_pending(int listener)
{
	struct pollfd in = { listener, POLLIN, 0 };

	return poll(&in, 1, 0) > 0;
}

bool ms_launch_follow_answer(int connection, int stream, int log, int maps)
{
	enum { MOST_FDS = 3 };
	const int fds[MOST_FDS] = { stream, log, maps };
	size_t bytes = (maps >= 0 ? MOST_FDS : MOST_FDS - 1) * sizeof(*fds);
	uint32_t answer = 1;
	struct iovec part = { &answer, sizeof(answer) };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(fds))];
	} control = { .head = { .cmsg_len = CMSG_LEN(bytes),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = CMSG_SPACE(bytes) };

	memcpy(CMSG_DATA(&control.head), fds, bytes);
	return sendmsg(connection, &m, MSG_NOSIGNAL) == sizeof(answer);
}
