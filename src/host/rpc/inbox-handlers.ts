/** Messages of other platforms, and what answers where, as bridges and the owner's window ask. */
import type { inboxMethods } from '../../protocol/inbox-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Binding } from '../../rules/binding.ts';
import type { Inbox } from '../inbox/inbox.ts';

const sent = ({ modules, ...binding }: Binding) => ({ ...binding, modules: modules && [...modules] });

export function inboxHandlers(inbox: Inbox): Handlers<typeof inboxMethods> {
  return {
    'inbox/receive': (message) => inbox.receive(message),
    'binding/list': () => ({ bindings: inbox.bindings().map(sent) }),
    'binding/put': ({ binding }) => {
      inbox.putBinding(binding);
      return {};
    },
    'binding/remove': ({ bindingId }) => {
      inbox.removeBinding(bindingId);
      return {};
    },
    'binding/test': (place) => {
      const { binding, profileId } = inbox.test(place);
      return { binding: binding && sent(binding), profileId };
    },
    'persona/list': () => ({ personas: inbox.personas() }),
    'persona/put': ({ persona }) => ({ persona: inbox.putPersona(persona) }),
    'persona/remove': ({ personaId }) => {
      inbox.removePersona(personaId);
      return {};
    },
  };
}
