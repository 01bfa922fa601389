/** Written by `npm run classes`. */
declare const classes: {
  readonly collections: string;
  readonly collection: string;
  readonly collectionColumns: string;
  readonly collectionState: string;
  readonly ofMeaning: string;
  readonly collectionDetails: string;
  readonly collectionUnread: string;
  readonly collectionName: string;
  readonly collectionSearch: string;
  readonly passages: string;
  readonly passageHead: string;
  readonly passageBy: string;
  readonly triedText: string;
  readonly noModel: string;
  readonly collectionFacts: string;
  readonly priceFacts: string;
  readonly chosenFolder: string;
};
export default classes;
