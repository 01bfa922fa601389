/** Written by `npm run classes`. */
declare const classes: {
  readonly person: string;
  readonly personUse: string;
  readonly binding: string;
  readonly persona: string;
  readonly personSettings: string;
  readonly moduleChoices: string;
  readonly placeTest: string;
  readonly placeAsked: string;
  readonly newBinding: string;
  readonly personaForm: string;
};
export default classes;
