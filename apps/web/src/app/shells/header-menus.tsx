import type { CurrentUser } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import Building2 from 'lucide-react/icons/building-2'
import Check from 'lucide-react/icons/check'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import House from 'lucide-react/icons/house'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LogOut from 'lucide-react/icons/log-out'
import Settings from 'lucide-react/icons/settings'
import User from 'lucide-react/icons/user'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../../components/menu.tsx'
import { useMenuParts } from '../../components/menu-parts.ts'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/error-text.ts'
import { signOutWithOverlay } from '../../lib/logout-overlay.ts'
import { getHomePath } from '../../lib/redirect.ts'
import { switchSessionCompany, switchSessionSpace } from '../../lib/session-place.ts'
import { toast } from '../../lib/toast.ts'

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

const SPACE_OPTIONS: Record<Space, { label: string; icon: typeof House }> = {
  office: { label: 'Back-office', icon: LayoutDashboard },
  portal: { label: 'Espace client', icon: House },
}

const switchToSpace = (space: Space) =>
  switchSessionSpace(space).catch((error: unknown) =>
    toast({ title: 'L’espace n’a pas changé', description: explainError(error), variant: 'destructive' }),
  )

/** Whoever manages and also lives there goes from one to the other. */
function SpaceSwitch({ user }: { user: CurrentUser }) {
  const other = user.spaces.find((space) => space !== user.space)
  if (!other) return null
  const { label, icon: Icon } = SPACE_OPTIONS[other]
  return (
    <>
      <MenuItem icon={<Icon aria-hidden="true" />} onSelect={() => void switchToSpace(other)}>
        {label}
      </MenuItem>
      <MenuSeparator />
    </>
  )
}

/** For those who work for several companies; leaving one leads to one's home in the other. */
export function CompanyMenu({ user }: { user: CurrentUser }) {
  const navigate = useNavigate()
  const [working, setWorking] = useState(false)
  if (user.companies.length < 2) return null
  const change = async (id: string) => {
    if (id === String(user.companyId)) return
    setWorking(true)
    try {
      await navigate(getHomePath(await switchSessionCompany(user, id)))
    } catch (error) {
      toast({ title: 'L’organisation n’a pas changé', description: explainError(error), variant: 'destructive' })
    } finally {
      setWorking(false)
    }
  }
  return (
    <Menu
      trigger={
        <Button
          variant="quiet"
          loading={working}
          icon={<Building2 aria-hidden="true" />}
          aria-label={`Organisation\u00a0: ${user.companyName}. Changer d’organisation`}
          className="max-w-56 px-2.5"
        >
          <span className="hidden truncate lg:inline">{user.companyName}</span>
          <ChevronsUpDown aria-hidden="true" className="hidden lg:block" />
        </Button>
      }
    >
      <MenuLabel>Organisation</MenuLabel>
      <MenuChoices
        choices={user.companies.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(user.companyId)}
        onChange={(id) => void change(id)}
      />
    </Menu>
  )
}

type Choice = { value: string; label: string }

/** One choice among a few, inside a Menu. */
export function MenuChoices(props: { choices: Choice[]; value: string; onChange: (value: string) => void }) {
  const { ItemIndicator, RadioGroup, RadioItem } = useMenuParts()
  return (
    <RadioGroup value={props.value} onValueChange={props.onChange}>
      {props.choices.map(({ value, label }) => (
        <RadioItem
          key={value}
          value={value}
          className="flex min-h-control cursor-pointer items-center gap-2.5 rounded-[calc(var(--radius-control)-2px)] py-1 pr-2.5 pl-9 text-body -outline-offset-2 select-none data-highlighted:bg-slate-100"
        >
          <ItemIndicator className="-ml-6.5 w-4">
            <Check aria-hidden="true" className="size-4 text-primary-ink" />
          </ItemIndicator>
          {label}
        </RadioItem>
      ))}
    </RadioGroup>
  )
}
