import { createStore } from '../../lib/stores.ts'

export type SiteDialog = 'booking' | 'simulator'

/** The dialog that is open on the site; the last one stays loaded, so that closing can be seen. */
export const dialogStore = createStore<{ open: boolean; last: SiteDialog | null }>({ open: false, last: null })

export const openDialog = (last: SiteDialog) => dialogStore.set({ open: true, last })
export const closeDialog = () => dialogStore.set({ ...dialogStore.read(), open: false })
