import Search from 'lucide-react/icons/search'
import { Suspense, useLayoutEffect, useState } from 'react'
import { cx } from '../../components/cx.ts'
import { lazy } from '../../components/lazy.tsx'
import { OpenFailure, useHasOpened } from '../../components/open-on-demand.tsx'
import type { PaletteAction } from './command-palette.tsx'

const CommandPalette = lazy(() => import('./command-palette.tsx'), OpenFailure)

/** Ctrl K, or ⌘ K on a Mac; loaded when first asked for. */
export function usePaletteOpen() {
  const [open, setOpen] = useState(false)
  // Before the shell is painted: who sees it may press the keys.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((shown) => !shown)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return [open, setOpen] as const
}

export function Palette(props: { open: boolean; onOpenChange: (open: boolean) => void; actions: PaletteAction[] }) {
  if (!useHasOpened(props.open)) return null
  return (
    <Suspense fallback={null}>
      <CommandPalette {...props} />
    </Suspense>
  )
}

const getShortcutLabel = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘\u00a0K' : 'Ctrl\u00a0K')

/** An icon, and its words where there is room: `narrow` is beside a row of links, which need it longer. */
const TRIGGER_STYLES = {
  wide: {
    frame: 'lg:border lg:border-line-strong lg:bg-page lg:hover:border-control',
    icon: 'lg:size-4',
    words: 'lg:not-sr-only',
    keys: 'lg:ml-6 lg:inline',
  },
  narrow: {
    frame: 'xl:border xl:border-line-strong xl:bg-page xl:hover:border-control',
    icon: 'xl:size-4',
    words: 'xl:not-sr-only',
    keys: 'xl:ml-6 xl:inline',
  },
}

export function CommandTrigger({ onOpen, narrow = false }: { onOpen: () => void; narrow?: boolean }) {
  const style = TRIGGER_STYLES[narrow ? 'narrow' : 'wide']
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-keyshortcuts="Control+K Meta+K"
      className={cx(
        'inline-flex h-9 shrink-0 items-center gap-2 rounded-control px-2.5 text-body text-ink-soft transition-colors duration-150 hover:text-ink',
        style.frame,
      )}
    >
      <Search aria-hidden="true" className={cx('size-[1.125rem]', style.icon)} />
      <span className={cx('sr-only', style.words)}>Rechercher</span>
      <kbd className={cx('hidden font-sans text-xs text-ink-muted', style.keys)}>{getShortcutLabel()}</kbd>
    </button>
  )
}
