import { lazy } from '../../components/lazy.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  {
    id: 'exports',
    label: 'Exports',
    permission: 'declarations.read',
    panel: lazy(() => import('../../features/analytics/regulatory/exports.tsx')),
  },
  {
    id: 'calendrier',
    label: 'Calendrier des obligations',
    permission: 'declarations.read',
    panel: lazy(() => import('../../features/analytics/regulatory/calendar.tsx')),
  },
]

/** What is owed to the distributor and to the administration: the papers, and the days. */
export default function RegulatoryExportsPage() {
  return (
    <TabbedPage
      title="Exports réglementaires"
      description="Les pièces que le distributeur et l’administration attendent, leurs versions, leurs envois et leurs échéances."
      panels={PANELS}
    />
  )
}
