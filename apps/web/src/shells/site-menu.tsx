import ChevronDown from 'lucide-react/icons/chevron-down'
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { isActiveEntry, type SiteMenuEntry } from '../site/menu.ts'
import { cx } from '../ui/cx.ts'

const getAriaCurrent = (pathname: string, href: string) =>
  pathname === href ? 'page' : isActiveEntry(pathname, href) ? 'true' : undefined

const getEntryClass = (active: boolean) =>
  cx(
    'inline-flex min-h-10 items-center rounded-control px-3 text-[0.9375rem] font-medium transition-colors duration-150 hover:text-ink',
    active ? 'text-ink underline decoration-local decoration-2 underline-offset-8' : 'text-ink-soft',
  )

/** Moves the focus inside a list of links, round the ends. */
function moveFocus(links: HTMLElement[], by: number) {
  const at = links.indexOf(document.activeElement as HTMLElement) // compared by identity only
  links[(at + by + links.length) % links.length]?.focus()
}

/** From the entry into its list, or from one line of it to the next. */
function focusIntoList(links: HTMLElement[], by: 1 | -1) {
  const inside = links.some((link) => link === document.activeElement)
  if (inside) moveFocus(links, by)
  else links.at(by === 1 ? 0 : -1)?.focus()
}

function Panel({ entry, onChoose }: { entry: SiteMenuEntry; onChoose: () => void }) {
  return (
    <div className="absolute top-full left-0 z-50 pt-2">
      <ul className="w-80 rounded-card border border-line bg-card p-2 shadow-float">
        {entry.children.map(({ label, href, text }) => (
          <li key={href}>
            <Link to={href} data-sub="" onClick={onChoose} className="block rounded-control px-3 py-2.5 hover:bg-page">
              <span className="block font-medium">{label}</span>
              {text && <span className="block text-sm text-ink-soft">{text}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Opens under the mouse, with the focus and at a click of its arrow; Escape closes it. */
function useDisclosure() {
  const [open, setOpen] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  const silent = useRef(false)
  const openBefore = useRef(false)
  const subs = () => [...(item.current?.querySelectorAll<HTMLElement>('[data-sub]') ?? [])]

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && open) {
      silent.current = true
      item.current?.querySelector<HTMLElement>('[data-top]')?.focus()
      silent.current = false
      setOpen(false)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (open) focusIntoList(subs(), event.key === 'ArrowDown' ? 1 : -1)
      else setOpen(true)
    }
  }
  return {
    open,
    close: () => setOpen(false),
    itemProps: {
      ref: item,
      onKeyDown,
      onFocus: () => !silent.current && setOpen(true),
      onBlur: (event: FocusEvent) => !item.current?.contains(event.relatedTarget) && setOpen(false),
      onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setOpen(true),
      onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && setOpen(false),
    },
    arrowProps: {
      'aria-expanded': open,
      // The focus that a press gives has already opened it: what counts is how it stood before.
      onPointerDown: (event: PointerEvent) => {
        openBefore.current = event.pointerType !== 'mouse' && open
      },
      onClick: (event: { detail: number }) => setOpen(event.detail === 0 ? !open : !openBefore.current),
    },
  }
}

function Disclosure({ entry, pathname }: { entry: SiteMenuEntry; pathname: string }) {
  const { open, close, itemProps, arrowProps } = useDisclosure()
  return (
    <li className="relative flex items-center" {...itemProps}>
      <Link
        to={entry.href}
        data-top=""
        aria-current={getAriaCurrent(pathname, entry.href)}
        onClick={close}
        className={cx(getEntryClass(isActiveEntry(pathname, entry.href)), 'pr-1')}
      >
        {entry.label}
      </Link>
      <button
        type="button"
        aria-label={`Sous-menu ${entry.label}`}
        {...arrowProps}
        className="grid size-7 place-items-center rounded-control text-ink-soft hover:text-ink"
      >
        <ChevronDown
          aria-hidden="true"
          className={cx('size-4 transition-transform duration-150', open && 'rotate-180')}
        />
      </button>
      {open && <Panel entry={entry} onChoose={close} />}
    </li>
  )
}

export function SiteMenu({ entries }: { entries: SiteMenuEntry[] }) {
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
    const tops = [...(list.current?.querySelectorAll<HTMLElement>('[data-top]') ?? [])]
    const here = tops.find((top) => top.parentElement?.contains(event.target as Node)) // an element of this list
    here?.focus()
    moveFocus(tops, event.key === 'ArrowRight' ? 1 : -1)
    event.preventDefault()
  }
  return (
    <nav aria-label="Principale" className="max-lg:hidden">
      <ul ref={list} onKeyDown={onKeyDown} className="flex items-center">
        {entries.map((entry) =>
          entry.children.length > 0 ? (
            <Disclosure key={entry.href} entry={entry} pathname={pathname} />
          ) : (
            <li key={entry.href}>
              <Link
                to={entry.href}
                data-top=""
                aria-current={getAriaCurrent(pathname, entry.href)}
                className={getEntryClass(isActiveEntry(pathname, entry.href))}
              >
                {entry.label}
              </Link>
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}
