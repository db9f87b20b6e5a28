import type { CurrentUser } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import House from 'lucide-react/icons/house'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import { explainError } from '../lib/explain.ts'
import { switchSessionSpace } from '../lib/place.ts'
import { toast } from '../lib/toast.ts'
import { MenuItem, MenuSeparator } from '../ui/menu.tsx'

const SPACE_OPTIONS: Record<Space, { label: string; icon: typeof House }> = {
  office: { label: 'Back-office', icon: LayoutDashboard },
  portal: { label: 'Espace client', icon: House },
}

const switchToSpace = (space: Space) =>
  switchSessionSpace(space).catch((error: unknown) =>
    toast({ title: 'L’espace n’a pas changé', description: explainError(error), variant: 'destructive' }),
  )

/** Whoever manages and also lives there goes from one to the other. */
export function SpaceSwitch({ user }: { user: CurrentUser }) {
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
