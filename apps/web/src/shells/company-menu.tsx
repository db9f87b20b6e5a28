import type { CurrentUser } from '@voisol/contract/auth'
import Building2 from 'lucide-react/icons/building-2'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { explainError } from '../lib/explain.ts'
import { switchSessionCompany } from '../lib/place.ts'
import { getHomePath } from '../lib/redirect.ts'
import { toast } from '../lib/toast.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuLabel } from '../ui/menu.tsx'
import { MenuChoices } from './choice-menu.tsx'

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
