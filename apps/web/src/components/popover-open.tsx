import { Content, Portal, Root, Trigger } from 'radix-ui/popover'
import { Fragment, useState } from 'react'
import { cx } from './cx.ts'
import type { PopoverProps } from './popover.tsx'

/** The panel itself, open from the start: it comes because its button was used. */
export default function OpenPopover(props: PopoverProps) {
  const { label, trigger, children, className, side, align, gap = 6, clear = 8, apart = false } = props
  const [open, setOpen] = useState(true)
  const Place = apart ? Portal : Fragment
  return (
    <Root open={open} onOpenChange={setOpen}>
      <Trigger asChild>{trigger}</Trigger>
      <Place>
        <Content
          side={side}
          align={align}
          sideOffset={gap}
          collisionPadding={clear}
          aria-label={label}
          className={cx('animate-rise border border-line bg-card shadow-float', className)}
        >
          {children(() => setOpen(false))}
        </Content>
      </Place>
    </Root>
  )
}
