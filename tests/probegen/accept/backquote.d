provider p { probe e(struct vmlinux`task_struct *x); };
