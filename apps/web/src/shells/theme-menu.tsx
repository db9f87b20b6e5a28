import Palette from 'lucide-react/icons/palette'
import { useState } from 'react'
import { readStorage, toStorageKey, writeStorage } from '../lib/storage.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuLabel } from '../ui/menu.tsx'
import { MenuChoices } from './choice-menu.tsx'

const THEME_KEY = toStorageKey('theme')
const THEMES = [
  { value: 'light', label: 'Clair' },
  { value: 'dark', label: 'Sombre' },
  { value: 'system', label: 'Système' },
]

/** The choice is kept and, as specified, changes nothing: the product is light. */
export function ThemeMenu() {
  const [theme, setTheme] = useState(
    () => THEMES.find(({ value }) => value === readStorage(THEME_KEY))?.value ?? 'light',
  )
  const choose = (value: string) => {
    writeStorage(THEME_KEY, value)
    setTheme(value)
  }
  return (
    <Menu trigger={<IconButton label="Thème" icon={<Palette aria-hidden="true" />} className="max-sm:hidden" />}>
      <MenuLabel>Thème</MenuLabel>
      <MenuChoices choices={THEMES} value={theme} onChange={choose} />
    </Menu>
  )
}
