import { useEffect, useSyncExternalStore } from 'react'
import { buildFullTitle } from './metadata.ts'
import { createStore } from './stores.ts'

const companyStore = createStore<string | undefined>(undefined)
const getServerCompany = () => undefined

/** The company whose name follows every title; undefined gives it back to the product. */
export const setTitleCompany = companyStore.set

/** `served` is a title somebody wrote for this address: it stands as it is. */
export function useTitle(title: string | undefined, served?: string | undefined) {
  const name = useSyncExternalStore(companyStore.subscribe, companyStore.read, getServerCompany)
  const names = useSyncExternalStore(screenNames.subscribe, screenNames.read, screenNames.read)
  const whole = buildScreenTitle(title, names)
  useEffect(() => {
    document.title = served ?? buildFullTitle(whole, name)
  }, [whole, served, name])
}

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
