import { useEffect, useState } from 'react'
import { debounce, RESIZE_DEBOUNCE_MS } from '../lib/navigation.ts'
import { ownKey, read, write } from '../lib/storage.ts'
import type { Section } from '../screens/types.ts'
import { activeSections, type NavSection } from './nav.ts'

const KEY = ownKey('sidebar')
/** Tailwind's lg: from here the sidebar stands beside the page, below it slides over. */
const WIDE = 1024

export function useCollapsed() {
  const [collapsed, setCollapsed] = useState(() => read(KEY) === 'collapsed')
  const toggle = () => {
    write(KEY, collapsed ? 'expanded' : 'collapsed')
    setCollapsed(!collapsed)
  }
  return [collapsed, toggle] as const
}

/** Sections open and close by hand; arriving on a screen opens its own. */
export function useOpenSections(sections: NavSection[], pathname: string) {
  const current = activeSections(sections, pathname).join(' ')
  const [open, setOpen] = useState(() => new Set(sections.filter((s) => s.startsOpen).map((s) => s.id)))
  useEffect(() => {
    const opened = current.split(' ').filter(Boolean) as Section[] // joined from section ids just above
    setOpen((old) => new Set([...old, ...opened]))
  }, [current])
  const toggle = (id: Section) =>
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
    const resized = debounce(() => window.innerWidth >= WIDE && setOpen(false), RESIZE_DEBOUNCE_MS)
    window.addEventListener('resize', resized)
    return () => {
      resized.cancel()
      window.removeEventListener('resize', resized)
    }
  }, [])
  return [open, setOpen] as const
}
