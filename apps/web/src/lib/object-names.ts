import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { type ScreenNames, screenNames } from './page-title.ts'
import { rememberVisit } from './recent-visits.ts'
import { createStore } from './stores.ts'

/** Names of objects by the address of their screen: a breadcrumb says « Les Lilas » and not « Opération ». */
export const namesByPath = createStore<ReadonlyMap<string, string>>(new Map())

const MAX_NAMED_PATHS = 60
const setNameOfPath = (path: string, name: string) => {
  const known = namesByPath.read()
  if (known.get(path) === name) return
  namesByPath.set(new Map([...[...known].filter(([one]) => one !== path).slice(1 - MAX_NAMED_PATHS), [path, name]]))
}

/** Whoever comes next reads none of it. */
export function forgetScreenNames() {
  namesByPath.set(new Map())
  screenNames.set({})
}

function useScreenName(part: keyof ScreenNames, name: string | undefined) {
  useEffect(() => {
    if (!name) return
    screenNames.set({ ...screenNames.read(), [part]: name })
    return () => screenNames.set({ ...screenNames.read(), [part]: undefined })
  }, [part, name])
}

/** Names the object of the present screen, once it is known: in title, breadcrumbs and what one opened last. */
export function useObjectName(name: string | undefined, kind: string) {
  const { pathname } = useLocation()
  useScreenName('object', name)
  useEffect(() => {
    if (!name) return
    setNameOfPath(pathname, name)
    rememberVisit({ title: name, detail: kind, to: pathname })
  }, [name, kind, pathname])
}

/** Names the screen itself as it is to whoever looks: a battery's owner reads of its charge. */
export const useScreenTitle = (title: string | undefined) => useScreenName('title', title)

/** Names an object above the present screen, by the address of its own. */
export function useParentName(name: string | undefined, path: string) {
  useScreenName('parent', name)
  useEffect(() => {
    if (name) setNameOfPath(path, name)
  }, [name, path])
}

/** Names what is open inside the present screen: a sheet, a run. `to` is the address that opens it again. */
export function useOpenName(name: string | undefined, kind: string, to: string) {
  useScreenName('open', name)
  useEffect(() => {
    if (name) rememberVisit({ title: name, detail: kind, to })
  }, [name, kind, to])
}
