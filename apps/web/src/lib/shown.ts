import { createStore } from './store.ts'

/** What the present screen shows, by name: its own object, what that belongs to, and what is open inside of it. */
export type ScreenNames = {
  object?: string | undefined
  parent?: string | undefined
  open?: string | undefined
  /** What the screen is called to whoever looks, where the table's title does not fit them. */
  title?: string | undefined
}

export const screenNames = createStore<ScreenNames>({})

/** « Les Lilas – Opération », « Participants – Les Lilas », « Éloïse Lefèvre – Participants ». */
export const buildScreenTitle = (title: string | undefined, { object, parent, open, title: own }: ScreenNames) =>
  title === undefined ? title : [open, object, own ?? title, object ? undefined : parent].filter(Boolean).join(' – ')
