import type * as menu from 'radix-ui/dropdown-menu'
import { createContext, type ReactElement, type ReactNode, use } from 'react'

export type MenuProps = { trigger: ReactElement<object>; children: ReactNode; align?: 'start' | 'end' }
type MenuParts = Pick<typeof menu, 'Item' | 'ItemIndicator' | 'Label' | 'RadioGroup' | 'RadioItem' | 'Separator'>

/** The parts a menu is made of come with it: what is written inside it does not need them before. */
export const MenuPartsContext = createContext<MenuParts | null>(null)

export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext)
  if (!parts) throw new Error('outside of a menu')
  return parts
}
