import { Link } from '../../../components/link.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { AddParticipantButton } from './add/add-dialog.tsx'
import { ImportParticipantsDialog } from './import/import-dialog.tsx'
import { ParticipantScreen } from './participants-screen.tsx'

export default function ParticipantList() {
  return (
    <>
      <PageHeader
        title="Participants"
        description={
          <>
            Les personnes et les organisations qui consomment ou produisent dans vos opérations.{' '}
            <Link to="/clients" className="text-link">
              Les voir comme clients
            </Link>
            {' · '}
            <Link to="/applications" className="text-link">
              Demandes d’entrée et de départ
            </Link>
          </>
        }
        actions={
          <>
            <ImportParticipantsDialog />
            <AddParticipantButton />
          </>
        }
      />
      <ParticipantScreen />
    </>
  )
}
