import type { OperationStatus } from '@voisol/contract/operations'

type StatusChange = { action: string; title: string; description: string; done: string }

/** Each change of state by where it leads: its name, and what it means. */
export const STATUS_CHANGES: Record<OperationStatus, StatusChange> = {
  draft: {
    action: 'Repasser en brouillon',
    title: 'Repasser en brouillon',
    description: 'L’opération redevient un brouillon, qui peut être supprimé tant qu’aucun relevé n’a été reçu.',
    done: 'L’opération est de nouveau un brouillon',
  },
  pending: {
    action: 'Passer en préparation',
    title: 'Passer en préparation',
    description: 'L’opération sort du brouillon. Elle pourra être mise en service quand tout sera prêt.',
    done: 'Opération en préparation',
  },
  active: {
    action: 'Mettre en service',
    title: 'Mettre l’opération en service',
    description: 'L’énergie est partagée à partir de la date de début. Voici ce qu’il faut pour cela.',
    done: 'Opération en service',
  },
  suspended: {
    action: 'Suspendre',
    title: 'Suspendre l’opération',
    description:
      'Les relevés continuent d’arriver, mais l’opération n’est plus signalée comme active. Vous pourrez la reprendre.',
    done: 'Opération suspendue',
  },
  closed: {
    action: 'Clôturer',
    title: 'Clôturer l’opération',
    description:
      'Les participations se terminent aujourd’hui et les points deviennent libres. Cela ne peut pas être annulé.',
    done: 'Opération clôturée',
  },
}
