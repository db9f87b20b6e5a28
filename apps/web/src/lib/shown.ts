import { createStore } from './store.ts'

/** What the present screen shows, by name: its own object, what that belongs to, and what is open inside of it. */
export type Shown = {
  object?: string | undefined
  parent?: string | undefined
  open?: string | undefined
  /** What the screen is called to whoever looks, where the table's title does not fit them. */
  title?: string | undefined
}

export const shownNames = createStore<Shown>({})

/** « Les Lilas – Opération », « Participants – Les Lilas », « Éloïse Lefèvre – Participants ». */
export const titleWith = (title: string | undefined, { object, parent, open, title: own }: Shown) =>
  title === undefined ? title : [open, object, own ?? title, object ? undefined : parent].filter(Boolean).join(' – ')
