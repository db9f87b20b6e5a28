import { lazy } from 'react'
import { ButtonLink } from '../../components/button.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const viewPortalButton = (
  <ButtonLink to="/participant-portal" variant="secondary">
    Voir comme un participant
  </ButtonLink>
)
const PANELS: Panel[] = [
  {
    id: 'portail',
    label: 'Ce que voient les participants',
    permission: 'portal.read',
    panel: lazy(() => import('../../features/portal/portal-settings/portal-settings.tsx')),
    actions: viewPortalButton,
  },
  {
    id: 'invitations',
    label: 'Invitations',
    permission: 'portal.read',
    panel: lazy(() => import('../../features/portal/portal-settings/invitations.tsx')),
    actions: viewPortalButton,
  },
  {
    id: 'messages',
    label: 'Messages',
    permission: 'messages.read',
    panel: lazy(() => import('../../features/portal/messages/messages-page.tsx')),
    actions: viewPortalButton,
  },
  {
    id: 'connexions',
    label: 'Connexions',
    permission: 'portal.read',
    panel: lazy(() => import('../../features/portal/portal-settings/sign-ins.tsx')),
    actions: viewPortalButton,
  },
  {
    id: 'lettres',
    label: 'Lettres',
    permission: 'portal.read',
    panel: lazy(() => import('../../features/portal/portal-settings/invitation-letters.tsx')),
    actions: viewPortalButton,
  },
]

/** The portal, seen by whoever opens it to others. */
export default function PortalManagementPage() {
  return (
    <TabbedPage
      title="Gestion du portail"
      description="Ce que vos participants y voient, qui est invité et qui vient."
      panels={PANELS}
    />
  )
}
