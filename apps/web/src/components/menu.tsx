import { cloneElement, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { cx } from './cx.ts'
import { lazy } from './lazy.tsx'
import { type MenuProps, useMenuParts } from './menu-parts.ts'
import { OpenFailure, useFirstUse } from './open-on-demand.tsx'

const loadMenu = () => import('./menu-open.tsx')
const OpenMenu = lazy(loadMenu, OpenFailure)

const itemClass = cx(
  'flex min-h-control w-full items-center gap-2.5 rounded-[calc(var(--radius-control)-2px)] px-2.5 text-left text-body -outline-offset-2 select-none',
  'cursor-pointer data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-slate-100 [&_.lucide]:size-4',
)
const toneClasses = { neutral: 'text-ink', danger: 'text-danger data-highlighted:bg-danger-soft' }

/** A short list of actions that opens under its trigger, inside the landmark it belongs to; being fixed, no scrolling region cuts it. */
export function Menu(props: MenuProps) {
  const first = useFirstUse(loadMenu, true)
  const alone = cloneElement(props.trigger, { 'aria-haspopup': 'menu', ...first.trigger } as object) // what any button takes
  return <Suspense fallback={alone}>{first.use ? <OpenMenu {...props} use={first.use} /> : alone}</Suspense>
}

type MenuItemProps = {
  icon?: ReactNode
  children: ReactNode
  onSelect: () => void
  tone?: keyof typeof toneClasses
  disabled?: boolean
}

/** A dialog gives focus back to what had it: that must be the button, not an item that is gone by then. */
function focusTrigger({ currentTarget }: Event) {
  const menu = currentTarget instanceof Element ? currentTarget.closest('[role="menu"]') : null
  document.getElementById(menu?.getAttribute('aria-labelledby') ?? '')?.focus()
}

export function MenuItem({ icon, children, onSelect, tone = 'neutral', disabled }: MenuItemProps) {
  const { Item } = useMenuParts()
  return (
    <Item
      className={cx(itemClass, toneClasses[tone])}
      disabled={disabled}
      onSelect={(event) => {
        focusTrigger(event)
        onSelect()
      }}
    >
      {icon}
      {children}
    </Item>
  )
}

export function MenuLink({ to, icon, children }: { to: string; icon?: ReactNode; children: ReactNode }) {
  const { Item } = useMenuParts()
  return (
    <Item asChild className={cx(itemClass, toneClasses.neutral)}>
      <Link to={to}>
        {icon}
        {children}
      </Link>
    </Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useMenuParts()
  return <Label className="px-2.5 py-1.5 text-[0.8125rem] text-ink-soft">{children}</Label>
}
export function MenuSeparator() {
  const { Separator } = useMenuParts()
  return <Separator className="-mx-1.5 my-1.5 h-px bg-line" />
}
