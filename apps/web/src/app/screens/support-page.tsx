import { lazy } from 'react'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  {
    id: 'demandes',
    label: 'Demandes',
    permission: 'support.read',
    panel: lazy(() => import('../../features/portal/support/queue.tsx')),
  },
  {
    id: 'chiffres',
    label: 'Chiffres',
    permission: 'support.read',
    panel: lazy(() => import('../../features/portal/support/support-figures.tsx')),
  },
  {
    id: 'reponses',
    label: 'Réponses types',
    permission: 'support.read',
    panel: lazy(() => import('../../features/portal/support/canned.tsx')),
  },
  {
    id: 'horaires',
    label: 'Horaires et délais',
    permission: 'support.read',
    panel: lazy(() => import('../../features/portal/support/support-hours.tsx')),
  },
]

/** The desk one works at: what was asked, how it is answered and how well. */
export default function SupportDeskPage() {
  return (
    <TabbedPage
      title="Bureau du support"
      description="Ce que vos participants demandent, ce qui leur a été promis et ce qu’ils en pensent."
      panels={PANELS}
    />
  )
}
