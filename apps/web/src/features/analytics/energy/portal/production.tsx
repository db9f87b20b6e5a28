import { getSideTexts } from '@voisol/contract/side-texts'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { NoPoint, PortalPage, WithPoints } from './portal-page.tsx'
import { SideScreen } from './side-screen.tsx'

const { title, description } = getSideTexts({ side: 'production', battery: false })

const NoProduction = () => (
  <Card>
    <EmptyState
      title="Vous ne produisez pas dans cette opération"
      why="Cet écran est celui des producteurs : aucun point de production n’est rattaché à votre compte. Si vous avez des panneaux, parlez-en à l’organisateur de votre opération."
      action={
        <ButtonLink variant="secondary" to="/client-portal/support?nouvelle=1">
          Écrire à l’organisateur
        </ButtonLink>
      }
    />
  </Card>
)

const renderPage = (children: ReactNode) => (
  <PortalPage title={title} description={description}>
    {children}
  </PortalPage>
)

export default function PortalProduction() {
  return (
    <WithPoints frame={renderPage}>
      {(mine) =>
        mine.produces ? (
          <SideScreen side="production" mine={mine} />
        ) : (
          renderPage(mine.consumes ? <NoProduction /> : <NoPoint />)
        )
      }
    </WithPoints>
  )
}
