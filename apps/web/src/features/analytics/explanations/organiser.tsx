import { useParams, useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { ExplanationLoader, ExplanationView, PrintButton } from './explanation.tsx'

const TITLE = 'Pourquoi ce chiffre\u00a0?'

/** Why a member has this figure for this month, for whoever runs the operation. */
export default function ExplanationScreen() {
  const { id: operationId = '' } = useParams()
  const [search] = useSearchParams()
  const [participantId, month] = [search.get('membre'), search.get('mois')]
  if (!participantId || !month)
    return (
      <>
        <PageHeader title={TITLE} />
        <EmptyState
          title="Choisissez un membre et un mois"
          why="Chaque chiffre d’énergie locale mène à son explication, depuis la répartition par membre."
          action={
            <ButtonLink variant="secondary" to={`/member-distribution?operationId=${operationId}`}>
              Voir les membres
            </ButtonLink>
          }
        />
      </>
    )
  return (
    <ExplanationLoader asked={{ operationId, participantId, month }}>
      {(why) => (
        <>
          <PageHeader
            title={TITLE}
            description={`${why.name}, ${formatMonthYear(why.month)}, ${why.operationName}`}
            actions={<PrintButton />}
          />
          <ExplanationView why={why} voice="theirs" />
        </>
      )}
    </ExplanationLoader>
  )
}
