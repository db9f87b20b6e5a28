import { reading } from './reading.tsx'

export default reading({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Guides', href: '/resources/guides' },
  ],
  related: 'Autres guides',
})
