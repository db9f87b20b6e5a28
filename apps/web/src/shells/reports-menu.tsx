import ChevronDown from 'lucide-react/icons/chevron-down'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import { Button } from '../ui/button.tsx'
import { Menu, MenuLink } from '../ui/menu.tsx'

export function ReportsMenu({ reports }: { reports: { path: string; label: string }[] }) {
  if (!reports.length) return null
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon={<FileChartColumn aria-hidden="true" />} className="px-2.5 max-lg:hidden">
          Rapports
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      {reports.map(({ path, label }) => (
        <MenuLink key={path} to={path}>
          {label}
        </MenuLink>
      ))}
    </Menu>
  )
}
