import { useEffect, useState } from 'react'
import { debounce, RESIZE_DEBOUNCE_MS } from '../lib/navigation.ts'
import { readStorage, toStorageKey, writeStorage } from '../lib/storage.ts'
import type { ScreenSection } from '../screens/types.ts'
import { listActiveSections, type NavSection } from './nav.ts'

const SIDEBAR_KEY = toStorageKey('sidebar')
/** Tailwind's lg: from here the sidebar stands beside the page, below it slides over. */
const DESKTOP_MIN_WIDTH = 1024

export function useSidebarCollapsed() {
  const [collapsed, setCollapsed] = useState(() => readStorage(SIDEBAR_KEY) === 'collapsed')
  const toggle = () => {
    writeStorage(SIDEBAR_KEY, collapsed ? 'expanded' : 'collapsed')
    setCollapsed(!collapsed)
  }
  return [collapsed, toggle] as const
}

/** Sections open and close by hand; arriving on a screen opens its own. */
export function useOpenSections(sections: NavSection[], pathname: string) {
  const current = listActiveSections(sections, pathname).join(' ')
  const [open, setOpen] = useState(() => new Set(sections.filter((s) => s.startsOpen).map((s) => s.id)))
  useEffect(() => {
    const opened = current.split(' ').filter(Boolean) as ScreenSection[] // joined from section ids just above
    setOpen((old) => new Set([...old, ...opened]))
  }, [current])
  const toggle = (id: ScreenSection) =>
    setOpen((old) => {
      const next = new Set(old)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return [open, toggle] as const
}

/** The slide-in menu: closed by navigating, and by a window that grows wide enough to do without it. */
export function useMobileMenu(pathname: string) {
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving elsewhere is what closes it
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    const resized = debounce(() => window.innerWidth >= DESKTOP_MIN_WIDTH && setOpen(false), RESIZE_DEBOUNCE_MS)
    window.addEventListener('resize', resized)
    return () => {
      resized.cancel()
      window.removeEventListener('resize', resized)
    }
  }, [])
  return [open, setOpen] as const
}
