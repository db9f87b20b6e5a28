import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { rememberVisit } from './recent.ts'
import { type Shown, shownNames } from './shown.ts'
import { createStore } from './store.ts'

/** Names of objects by the address of their screen: a breadcrumb says « Les Lilas » and not « Opération ». */
export const namesByPath = createStore<ReadonlyMap<string, string>>(new Map())

const MOST = 60
const nameAt = (path: string, name: string) => {
  const known = namesByPath.read()
  if (known.get(path) === name) return
  namesByPath.set(new Map([...[...known].filter(([one]) => one !== path).slice(1 - MOST), [path, name]]))
}

/** Whoever comes next reads none of it. */
export function forgetNames() {
  namesByPath.set(new Map())
  shownNames.set({})
}

function useShown(part: keyof Shown, name: string | undefined) {
  useEffect(() => {
    if (!name) return
    shownNames.set({ ...shownNames.read(), [part]: name })
    return () => shownNames.set({ ...shownNames.read(), [part]: undefined })
  }, [part, name])
}

/** Names the object of the present screen, once it is known: in title, breadcrumbs and what one opened last. */
export function useObjectName(name: string | undefined, kind: string) {
  const { pathname } = useLocation()
  useShown('object', name)
  useEffect(() => {
    if (!name) return
    nameAt(pathname, name)
    rememberVisit({ title: name, detail: kind, to: pathname })
  }, [name, kind, pathname])
}

/** Names the screen itself as it is to whoever looks: a battery's owner reads of its charge. */
export const useOwnTitle = (title: string | undefined) => useShown('title', title)

/** Names an object above the present screen, by the address of its own. */
export function useParentName(name: string | undefined, path: string) {
  useShown('parent', name)
  useEffect(() => {
    if (name) nameAt(path, name)
  }, [name, path])
}

/** Names what is open inside the present screen: a sheet, a run. `to` is the address that opens it again. */
export function useOpenName(name: string | undefined, kind: string, to: string) {
  useShown('open', name)
  useEffect(() => {
    if (name) rememberVisit({ title: name, detail: kind, to })
  }, [name, kind, to])
}
