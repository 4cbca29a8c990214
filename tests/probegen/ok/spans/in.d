/* SPDX-License-Identifier: BSD-2-Clause */
enum outcome { DONE, REFUSED, RETRY = 11 };
#pragma sdtkit names outcome result
#pragma sdtkit alias shop store
#pragma sdtkit single_site add

/*
 * An order, from its arrival until it was "sent" or given up: 100% of it.
 * It waits while an item is out of stock.
 */
#pragma sdtkit span shop:order start=order,order_again end=sent,given_up key = id/sent.order
#pragma sdtkit span shop:order suspend=wait resume=go_on name=kind,who sum=bytes, out
// The price of one item is looked up.
#pragma sdtkit span shop:lookup start=lookup end=lookup_done key=tid parent=order(id) \
	error=result ok=DONE, \
	RETRY,0x7f /* not an error */
#pragma sdtkit span stock:fetch start=fetch end=shop:fetched key=from,shelf/arg1 error=ret<0 parent=shop:lookup
#pragma sdtkit span stock:never start=never end=never_done key=tid parent=running

/* A shop. */
provider shop {
	/* An order came in. */
	probe order(uint64_t id, uint16_t kind, char *who, size_t bytes);
	probe order_again(uint64_t id, uint16_t kind, char *who);
	probe add(uint64_t id, int price);
	probe wait(uint64_t id);
	probe go_on(uint64_t id);
	probe sent(uint32_t out, void *order);
	probe given_up(uint64_t id);
	probe lookup(char *item, uint64_t id);
	probe lookup_done(int result);
	probe fetched(int from, int shelf, long ret);
};

provider stock {
	probe fetch(int from, int);
	probe never();
	probe never_done();
};
