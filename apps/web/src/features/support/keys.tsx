import { useEffect, useRef } from 'react'

type KeyHandlers = Record<string, () => void>

/** Somebody who writes wants the letter, not what it does. */
const isTextInput = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Letters that act, anywhere on the screen but in a field or a dialog. */
export function useShortcutKeys(handlers: KeyHandlers) {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const handler = latest.current[event.key]
      if (!handler || event.ctrlKey || event.metaKey || event.altKey || isTextInput(event.target)) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      handler()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
}

const SHORTCUTS = [
  ['j', 'suivante'],
  ['k', 'précédente'],
  ['r', 'répondre'],
  ['a', 'prendre ou rendre'],
  ['e', 'résoudre'],
  ['Ctrl Entrée', 'envoyer'],
] as const

/** What they are, where there is a keyboard to press them on. */
export const ShortcutList = () => (
  <ul
    aria-label="Raccourcis du clavier"
    className="hidden flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-ink-soft lg:flex"
  >
    {SHORTCUTS.map(([key, does]) => (
      <li key={key}>
        <kbd className="rounded border border-line-strong bg-card px-1.5 py-0.5 font-medium text-ink">{key}</kbd> {does}
      </li>
    ))}
  </ul>
)
