provider kernel {
	probe okay(genunix`struct *vp);
	probe also(struct genunix`vnode *vp);
};
