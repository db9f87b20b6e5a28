import {
  Content,
  Item,
  ItemIndicator,
  Label,
  RadioGroup,
  RadioItem,
  Root,
  Separator,
  Trigger,
} from 'radix-ui/dropdown-menu'
import { useEffect, useRef } from 'react'
import { MenuPartsContext, type MenuProps } from './menu-parts.ts'
import type { InputMethod } from './open-on-demand.tsx'

const menuParts = { Item, ItemIndicator, Label, RadioGroup, RadioItem, Separator }

/** The menu itself, open from the start: it comes because its button was used. */
export default function OpenMenu({ trigger, children, align = 'end', use }: MenuProps & { use: InputMethod }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The key that was pressed on the button, for a menu that was not there yet to see it: its first item takes focus.
    if (use === 'keyboard')
      button.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
  }, [use])
  return (
    <Root modal={false} defaultOpen={use === 'pointer'}>
      <Trigger asChild ref={button}>
        {trigger}
      </Trigger>
      <Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-rise overflow-y-auto rounded-control border border-line bg-card p-1.5 text-left whitespace-normal shadow-float"
      >
        <MenuPartsContext value={menuParts}>{children}</MenuPartsContext>
      </Content>
    </Root>
  )
}
