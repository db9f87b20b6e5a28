import { Content, Item, Label, Root, Separator, Trigger } from 'radix-ui/dropdown-menu'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from './cx.ts'

const itemClass = cx(
  'flex min-h-control w-full items-center gap-2.5 rounded-[calc(var(--radius-control)-2px)] px-2.5 text-left text-body outline-none select-none',
  'cursor-pointer data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-slate-100 [&_.lucide]:size-4',
)
const tones = { neutral: 'text-ink', danger: 'text-danger data-highlighted:bg-danger-soft' }

/** A short list of actions that opens under its trigger, inside the landmark it belongs to; being fixed, no scrolling region cuts it. */
export const Menu = ({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
}) => (
  <Root modal={false}>
    <Trigger asChild>{trigger}</Trigger>
    <Content
      align={align}
      sideOffset={6}
      collisionPadding={8}
      className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-rise overflow-y-auto rounded-control border border-line bg-card p-1.5 text-left whitespace-normal shadow-float"
    >
      {children}
    </Content>
  </Root>
)

type MenuItemProps = {
  icon?: ReactNode
  children: ReactNode
  onSelect: () => void
  tone?: keyof typeof tones
  disabled?: boolean
}

/** A dialog gives focus back to what had it: that must be the button, not an item that is gone by then. */
function focusTrigger({ currentTarget }: Event) {
  const menu = currentTarget instanceof Element ? currentTarget.closest('[role="menu"]') : null
  document.getElementById(menu?.getAttribute('aria-labelledby') ?? '')?.focus()
}

export const MenuItem = ({ icon, children, onSelect, tone = 'neutral', disabled }: MenuItemProps) => (
  <Item
    className={cx(itemClass, tones[tone])}
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

export const MenuLink = ({ to, icon, children }: { to: string; icon?: ReactNode; children: ReactNode }) => (
  <Item asChild className={cx(itemClass, tones.neutral)}>
    <Link to={to}>
      {icon}
      {children}
    </Link>
  </Item>
)

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Label className="px-2.5 py-1.5 text-[0.8125rem] text-ink-soft">{children}</Label>
)
export const MenuSeparator = () => <Separator className="-mx-1.5 my-1.5 h-px bg-line" />
