import ChevronDown from 'lucide-react/icons/chevron-down'
import MenuIcon from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { ButtonLink } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { Logo } from '../../components/logo.tsx'
import {
  getConsent,
  isAnalyticsConfigured,
  onAnalyticsConsentChange,
  withdrawAnalyticsConsent,
} from '../../lib/analytics.ts'
import { PRODUCT_NAME } from '../../lib/metadata.ts'
import { ClaimList } from '../../site/blocks/page-sections.tsx'
import { MarkedText } from '../../site/blocks/section.tsx'
import { SiteDialogs } from '../../site/dialogs/site-dialogs.tsx'
import {
  getFooterColumns,
  getHeaderEntries,
  getMainAction,
  isActiveEntry,
  type SiteMenuEntry,
  type SiteMenuLink,
} from '../../site/menu.ts'

/** Around every public page. */
export function SiteShell({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div data-density="comfortable" className="flex min-h-dvh flex-col bg-white text-body text-ink">
      <SiteHeader />
      <main id="contenu" className="flex-1 outline-none">
        {children}
      </main>
      <SiteFooter />
      <SiteDialogs />
    </div>
  )
}

const BORDER_AFTER = 20

function subscribeToScroll(changed: () => void) {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}
const useScrolled = () =>
  useSyncExternalStore(
    subscribeToScroll,
    () => window.scrollY > BORDER_AFTER,
    () => false,
  )

function SiteHeader() {
  const [open, setOpen] = useState(false)
  const scrolled = useScrolled()
  const entries = getHeaderEntries()
  const action = getMainAction()
  const close = () => setOpen(false)
  return (
    <header
      data-print="hide"
      className={cx(
        'sticky top-0 z-40 border-b bg-white transition-colors duration-150',
        scrolled || open ? 'border-line' : 'border-transparent',
      )}
    >
      <div className="mx-auto flex h-16 max-w-[1248px] items-center gap-6 px-4 sm:px-6">
        <Link
          to="/"
          onClick={close}
          className="flex items-center gap-2.5 rounded-sm text-xl font-semibold tracking-tight"
        >
          <Logo className="size-8" />
          {PRODUCT_NAME}
        </Link>
        <SiteMenu entries={entries} />
        <div className="ml-auto flex items-center gap-2">
          <ButtonLink to="/login" variant="quiet" className="max-sm:hidden">
            Connexion
          </ButtonLink>
          <ButtonLink to={action.href} className="max-sm:hidden">
            {action.label}
          </ButtonLink>
          <MobileToggle open={open} onToggle={() => setOpen(!open)} />
        </div>
      </div>
      {open && <SiteMobileMenu entries={entries} action={action} onClose={close} />}
    </header>
  )
}

const NBSP = '\u00a0'
const hasChosenConsent = () => isAnalyticsConfigured() && getConsent() !== null
const returnFalse = () => false

const badges: { name: string; note?: string }[] = [
  { name: 'ISO 27001', note: 'certification en cours [objectif]' },
  { name: 'RGPD' },
  { name: 'ISO 50001' },
  { name: 'CRE' },
  { name: 'ADEME' },
  { name: 'France Relance' },
]
const claims = [
  'Chiffrement SSL/TLS',
  'Hébergement en France [objectif]',
  'Sauvegarde quotidienne [objectif]',
  'Support 24/7 [objectif]',
]

const BrandPresentation = () => (
  <div className="max-w-sm">
    <p className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <Logo className="size-7" />
      {PRODUCT_NAME}
    </p>
    <p className="mt-4 text-ink-soft max-sm:hidden">
      La plateforme française d’autoconsommation collective : répartir, suivre et expliquer l’énergie solaire partagée
      entre voisins.
    </p>
    <ClaimList claims={claims} className="mt-4 grid gap-x-4 gap-y-1.5 text-sm text-ink-soft sm:mt-6 sm:gap-2" />
  </div>
)

const Badges = () => (
  <ul aria-label="Référentiels et institutions" className="flex flex-wrap gap-1.5 sm:gap-2">
    {badges.map(({ name, note }) => (
      <li
        key={name}
        className="rounded-control border border-line px-2.5 py-1 text-[0.8125rem] sm:px-3 sm:py-1.5 sm:text-sm font-medium text-ink-soft"
      >
        {name}
        {note && (
          <span className="font-normal">
            {' · '}
            <MarkedText text={note} />
          </span>
        )}
      </li>
    ))}
  </ul>
)

/** What the two small marks of the site mean, said once for all of its pages. */
const ClaimMarkLegend = () => (
  <p className="max-w-3xl pb-6 text-[0.8125rem] text-ink-soft">
    {`La mention «${NBSP}objectif${NBSP}» dit ce que Voisol vise et qu’aucune mesure publiée n’établit encore${NBSP}; «${NBSP}à venir${NBSP}», ce qui n’est pas encore en service.`}
  </p>
)

/** Whoever agreed to be counted, or refused, may choose again; where nothing is measured there is nothing to choose. */
function ConsentChangeButton() {
  const chosen = useSyncExternalStore(onAnalyticsConsentChange, hasChosenConsent, returnFalse)
  if (!chosen) return null
  return (
    <button
      type="button"
      onClick={withdrawAnalyticsConsent}
      className="min-h-9 underline decoration-line-strong underline-offset-4 hover:text-ink"
    >
      Mesure d’audience{NBSP}: changer d’avis
    </button>
  )
}

function SiteFooter() {
  return (
    <footer data-print="hide" className="border-line border-t bg-white">
      <div className="mx-auto grid max-w-[1248px] gap-x-12 gap-y-7 px-4 py-8 sm:px-6 lg:grid-cols-[1fr_2fr] lg:py-16">
        <BrandPresentation />
        <nav
          aria-label="Pied de page"
          className="grid grid-cols-2 gap-x-6 gap-y-5 sm:gap-x-8 sm:gap-y-7 sm:grid-cols-[repeat(4,auto)] lg:justify-between"
        >
          {getFooterColumns().map(({ title, links }) => (
            <div key={title}>
              <h2 className="text-sm font-semibold tracking-normal">{title}</h2>
              <ul className="mt-1.5 sm:mt-3">
                {links.map(({ label, href }) => (
                  <li key={href}>
                    <Link
                      to={href}
                      className="inline-flex min-h-8 items-center leading-tight text-ink-soft max-sm:text-[0.9375rem] sm:min-h-9 hover:text-ink hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="mx-auto max-w-[1248px] px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-line border-t py-5">
          <Badges />
          <p className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft">
            <ConsentChangeButton />
            {/* Drawn by the server and kept: a page of last year is read this year. */}
            <span suppressHydrationWarning>{`© ${new Date().getFullYear()} ${PRODUCT_NAME}`}</span>
          </p>
        </div>
        <ClaimMarkLegend />
      </div>
    </footer>
  )
}

const PANEL_ID = 'menu-mobile'

function MobileToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const Icon = open ? X : MenuIcon
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? PANEL_ID : undefined}
      onClick={onToggle}
      onKeyDown={(event) => event.key === 'Escape' && open && onToggle()}
      className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-medium lg:hidden"
    >
      <Icon aria-hidden="true" className="size-5" />
      {open ? 'Fermer' : 'Menu'}
    </button>
  )
}

const getRowClass = (active: boolean) =>
  cx(
    'flex min-h-12 flex-1 items-center font-medium',
    active && 'underline decoration-local decoration-2 underline-offset-8',
  )

function Section({ entry, active, onClose }: { entry: SiteMenuEntry; active: boolean; onClose: () => void }) {
  const [open, setOpen] = useState(active)
  return (
    <>
      <div className="flex items-center">
        <Link to={entry.href} onClick={onClose} className={getRowClass(active)}>
          {entry.label}
        </Link>
        <button
          type="button"
          aria-label={`Sous-menu ${entry.label}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="grid size-12 place-items-center rounded-control text-ink-soft"
        >
          <ChevronDown
            aria-hidden="true"
            className={cx('size-5 transition-transform duration-150', open && 'rotate-180')}
          />
        </button>
      </div>
      {open && (
        <ul className="mb-3 border-l-2 border-line pl-4">
          {entry.children.map(({ label, href }) => (
            <li key={href}>
              <Link to={href} onClick={onClose} className="flex min-h-11 items-center text-ink-soft">
                {label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type Props = { entries: SiteMenuEntry[]; action: SiteMenuLink; onClose: () => void }
/** The same entries, one under the other; any link closes it. */
function SiteMobileMenu({ entries, action, onClose }: Props) {
  const { pathname } = useLocation()
  return (
    <nav
      id={PANEL_ID}
      aria-label="Principale"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-line border-b bg-white px-4 pb-6 shadow-float sm:px-6 lg:hidden"
    >
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.href}>
            {entry.children.length > 0 ? (
              <Section entry={entry} active={isActiveEntry(pathname, entry.href)} onClose={onClose} />
            ) : (
              <Link to={entry.href} onClick={onClose} className={getRowClass(isActiveEntry(pathname, entry.href))}>
                {entry.label}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-4 grid gap-3 sm:hidden">
        <ButtonLink to={action.href} onClick={onClose}>
          {action.label}
        </ButtonLink>
        <ButtonLink to="/login" variant="secondary" onClick={onClose}>
          Connexion
        </ButtonLink>
      </div>
    </nav>
  )
}

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

function SiteMenu({ entries }: { entries: SiteMenuEntry[] }) {
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
