import { reading } from './reading.tsx'

export default reading({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Actualités', href: '/resources/actualites' },
  ],
  related: 'À lire aussi',
})
