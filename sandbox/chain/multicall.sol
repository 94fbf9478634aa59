// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// The part of Multicall3 that facilitators use to say why a payment would fail. Public chains have it at a known address.
contract Multicall {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(!requireSuccess || results[i].success, "Multicall: a call failed");
        }
    }
}
