import { getSideTexts } from '@voisol/contract/side-texts'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { NoPoint, PortalPage, WithPoints } from './portal-page.tsx'
import { SideScreen } from './side-screen.tsx'

const { title, description } = getSideTexts({ side: 'consumption', battery: false })

const NoConsumption = () => (
  <Card>
    <EmptyState
      title="Aucun point de consommation"
      why="Votre compte ne porte que des installations de production : leur énergie est sur l’écran « Production »."
      action={<ButtonLink to="/client-portal/production">Voir ma production</ButtonLink>}
    />
  </Card>
)

const renderPage = (children: ReactNode) => (
  <PortalPage title={title} description={description}>
    {children}
  </PortalPage>
)

export default function PortalConsumption() {
  return (
    <WithPoints frame={renderPage}>
      {(mine) =>
        mine.consumes ? (
          <SideScreen side="consumption" mine={mine} />
        ) : (
          renderPage(mine.produces ? <NoConsumption /> : <NoPoint />)
        )
      }
    </WithPoints>
  )
}
