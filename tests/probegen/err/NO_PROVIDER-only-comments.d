/* nothing but words */
#pragma D option quiet
