import type { Screen } from './types.ts'

/** What anybody may open; what is for development only stands last. */
export const publicScreens = [
  {
    path: '/login',
    screen: () => import('../../features/identity/auth/login.tsx'),
    title: 'Connexion',
    role: 'public',
    signIn: true,
  },
  {
    path: '/activation',
    screen: () => import('../../features/identity/auth/activation.tsx'),
    title: 'Ouvrir mon espace',
    role: 'public',
  },
  {
    path: '/test-payments',
    screen: () => import('../../features/payments/online/test-payments.tsx'),
    title: 'Paiements d’essai',
    role: 'public',
    dev: true,
    hidden: true,
  },
  {
    path: '/dev/ui',
    screen: () => import('../../components/dev/ui.tsx'),
    title: 'Système de conception',
    role: 'public',
    dev: true,
    hidden: true,
  },
] as const satisfies readonly Screen[]
