/* client_requests.h - requests of the program. */
#ifndef MS_VG_CLIENT_REQUESTS_H
#define MS_VG_CLIENT_REQUESTS_H

#include "pub_tool_basics.h"

Bool ms_vg_client_request(ThreadId tid, UWord *args, UWord *answer);

/* prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME), with these arguments. */
void ms_vg_name_mapping(const UWord *args);

#endif
