import type { CurrentUser } from '@voisol/contract/auth'
import LogOut from 'lucide-react/icons/log-out'
import Settings from 'lucide-react/icons/settings'
import User from 'lucide-react/icons/user'
import { useCan } from '../lib/can.tsx'
import { signOutWithOverlay } from '../lib/logout-overlay.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../ui/menu.tsx'
import { SpaceSwitch } from './space-switch.tsx'

type Props = { user: CurrentUser; profile: string; settings?: string }

export function AccountMenu({ user, profile, settings }: Props) {
  const can = useCan()
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="Mon compte"
          className="grid size-11 shrink-0 place-items-center rounded-full sm:size-10"
        >
          <Avatar firstName={user.firstName} lastName={user.lastName} size={32} />
        </button>
      }
    >
      <MenuLabel>
        <span className="block font-medium text-ink">Mon compte</span>
        <span className="block max-w-60 truncate">{user.email}</span>
        <span className="block max-w-60 truncate">{user.roleName}</span>
      </MenuLabel>
      <MenuSeparator />
      <SpaceSwitch user={user} />
      <MenuLink to={profile} icon={<User aria-hidden="true" />}>
        Profil
      </MenuLink>
      {settings && can('companies.read') && (
        <MenuLink to={settings} icon={<Settings aria-hidden="true" />}>
          Paramètres
        </MenuLink>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={signOutWithOverlay}>
        Déconnexion
      </MenuItem>
    </Menu>
  )
}
